/** Samples a second that a waveform is made of: enough for peaks. Signed 16-bit little-endian, one channel. */
export const waveformSampleRate = 8_000;
/** Values of a waveform, and its greatest one, as Telegram's apps make it (core.telegram.org/api/files, `waveform`). */
const waveformLength = 100;
const maxValue = 31;
/** The scale of Telegram Desktop (`media_audio.cpp`): 1.8 times the mean is loud, and nothing below this is. */
const loudMeans = 1.8;
const quietestLoud = 2_500;
/** 10 ms at first. Twice as long whenever there are too many. */
const firstBlockSamples = 80;
const maxBlocks = 4_096;

/** Makes the waveform of a voice note from its samples, as they come, in bounded memory. */
export class WaveformMeter {
  /** The loudest sample of each block. */
  #peaks: number[] = [];
  #blockSamples = firstBlockSamples;
  #peak = 0;
  #inBlock = 0;
  #samples = 0;
  /** The first byte of a sample whose second one has not come yet. */
  #half: number | undefined;

  add(bytes: Buffer): void {
    let at = 0;
    if (this.#half !== undefined && bytes.length > 0) {
      this.#addSample(Buffer.from([this.#half, bytes[0] as number]).readInt16LE());
      this.#half = undefined;
      at = 1;
    }
    for (; at + 1 < bytes.length; at += 2) this.#addSample(bytes.readInt16LE(at));
    if (at < bytes.length) this.#half = bytes[at];
  }

  /** The length of what was added, in seconds. */
  get duration(): number {
    return this.#samples / waveformSampleRate;
  }

  /** 100 values from 0 to 31. */
  waveform(): number[] {
    const peaks = this.#inBlock > 0 ? [...this.#peaks, this.#peak] : this.#peaks;
    const values = Array.from({ length: waveformLength }, (_, place) => {
      const from = Math.floor((place * peaks.length) / waveformLength);
      const to = Math.max(from + 1, Math.floor(((place + 1) * peaks.length) / waveformLength));
      return Math.max(0, ...peaks.slice(from, to));
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / waveformLength;
    const loud = Math.max(mean * loudMeans, quietestLoud);
    return values.map((value) => Math.min(maxValue, Math.floor((value * maxValue) / loud)));
  }

  #addSample(sample: number): void {
    this.#samples += 1;
    this.#peak = Math.max(this.#peak, Math.abs(sample));
    this.#inBlock += 1;
    if (this.#inBlock < this.#blockSamples) return;
    this.#peaks.push(this.#peak);
    this.#peak = 0;
    this.#inBlock = 0;
    if (this.#peaks.length < maxBlocks) return;
    this.#peaks = Array.from({ length: maxBlocks / 2 }, (_, pair) =>
      Math.max(this.#peaks[2 * pair] as number, this.#peaks[2 * pair + 1] as number),
    );
    this.#blockSamples *= 2;
  }
}
