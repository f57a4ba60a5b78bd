import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaveformMeter, waveformSampleRate } from '../../../../src/media/outgoing/convert/waveform.ts';

function samples(count: number, at: (index: number) => number): Buffer {
  const bytes = Buffer.alloc(2 * count);
  for (let index = 0; index < count; index++) bytes.writeInt16LE(at(index), 2 * index);
  return bytes;
}
function measured(...pieces: Buffer[]): WaveformMeter {
  const meter = new WaveformMeter();
  for (const piece of pieces) meter.add(piece);
  return meter;
}

describe('a waveform', () => {
  it('[MX1.6] has 100 values, and says how long the voice is', () => {
    const meter = measured(samples(3 * waveformSampleRate, () => 1_000));
    expect(meter.duration).toBe(3);
    expect(meter.waveform()).toHaveLength(100);
  });

  it('[MX1.6] of silence, and of nothing, is 0', () => {
    const none = Array.from({ length: 100 }, () => 0);
    expect(measured(samples(waveformSampleRate, () => 0)).waveform()).toEqual(none);
    expect(measured().waveform()).toEqual(none);
    expect(measured().duration).toBe(0);
  });

  it('[MX1.6] is loud where the voice is loud', () => {
    const waveform = measured(
      samples(waveformSampleRate, (index) => (index < waveformSampleRate / 2 ? 0 : -32_768)),
    ).waveform();
    expect(waveform.slice(0, 49).every((value) => value === 0)).toBe(true);
    expect(waveform.slice(51).every((value) => value === 31)).toBe(true);
  });

  it('[MX1.6] of a steady voice is steady: 31 values of 1.8 means', () => {
    expect(new Set(measured(samples(waveformSampleRate, () => 20_000)).waveform())).toEqual(new Set([17]));
    // A whisper stays one.
    expect(new Set(measured(samples(waveformSampleRate, () => 250)).waveform())).toEqual(new Set([3]));
  });

  it('[MX1.6] of a long voice keeps its form: loud in its last tenth alone', () => {
    const count = 3_600 * waveformSampleRate;
    const quiet = samples(count / 100, () => 0);
    const loud = samples(count / 100, () => 30_000);
    const meter = measured(...Array.from({ length: 100 }, (_, place) => (place < 90 ? quiet : loud)));
    expect(meter.duration).toBe(3_600);
    const waveform = meter.waveform();
    expect(waveform.slice(0, 89).every((value) => value === 0)).toBe(true);
    expect(waveform.slice(91).every((value) => value === 31)).toBe(true);
  });

  it('[MX1.6] is the same however its bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 400, maxLength: 2_000 }), fc.nat(), (bytes, cut) => {
        const all = Buffer.from(bytes);
        const at = cut % all.length;
        const once = measured(all);
        const twice = measured(all.subarray(0, at), all.subarray(at));
        expect(twice.waveform()).toEqual(once.waveform());
        expect(twice.duration).toBe(once.duration);
        expect(once.waveform().every((value) => value >= 0 && value <= 31)).toBe(true);
      }),
    );
  });
});
