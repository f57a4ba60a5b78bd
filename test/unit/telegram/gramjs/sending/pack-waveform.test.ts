import { expect, it } from 'vitest';
import { packWaveform } from '../../../../../src/telegram/gramjs/sending/pack-waveform.ts';

it.each<[string, number[], string]>([
  ['one value', [31], '1f'],
  ['a value over two bytes', [0, 31], 'e003'],
  ['the lowest bit of each', [1, 1, 1, 1, 1, 1, 1, 1], '2184104208'],
])('[MX1.6] a waveform is packed in 5 bits each: %s', (_what, values, packed) => {
  expect(packWaveform(values).toString('hex')).toBe(packed);
});

it('[MX1.6] a waveform of 100 values has 63 bytes', () => {
  expect(packWaveform(Array.from({ length: 100 }, () => 31)).toString('hex')).toBe(`${'ff'.repeat(62)}0f`);
});
