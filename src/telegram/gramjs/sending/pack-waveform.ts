const bitsEach = 5;

/**
 * The values of a waveform, 5 bits each, the lowest bit first
 * (https://core.telegram.org/constructor/documentAttributeAudio).
 */
export function packWaveform(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil((values.length * bitsEach) / 8));
  for (const [place, value] of values.entries()) {
    for (let bit = 0; bit < bitsEach; bit++) {
      const at = place * bitsEach + bit;
      if ((value >> bit) & 1) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7));
    }
  }
  return bytes;
}
