import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ByteRange,
  chunkBytes,
  chunkOf,
  lengthOfChunk,
  sliceOfChunk,
  wantedBytes,
} from '../../../../src/media/links/byte-range.ts';

const size = fc.integer({ min: 0, max: 2 ** 32 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String);

describe('byte ranges', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 99 }],
    ['bytes=5-10', { first: 5, last: 10 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=5-100', { first: 5, last: 99 }],
    ['bytes=5-99999999999999999999999999', { first: 5, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-100', { first: 0, last: 99 }],
    ['bytes=-101', { first: 0, last: 99 }],
    ['BYTES= 5-10 ', { first: 5, last: 10 }],
    ['bytes=100-', 'not satisfiable'],
    ['bytes=100-200', 'not satisfiable'],
    ['bytes=-0', 'not satisfiable'],
    ['bytes=99999999999999999999999999-', 'not satisfiable'],
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=10-5', 'whole'],
    ['bytes=99999999999999999999-99999999999999999998', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=0-1,', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0x1-0x2', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['bytes=--1', 'whole'],
    ['bytes 0-1', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes=0-1\u00a0', 'whole'],
  ] as const)('[ME3.1] %s of 100 bytes', (header, wanted) => {
    expect(wantedBytes(header, 100)).toEqual(wanted);
  });

  it('[ME3.1] an empty file has no range that could be satisfied', () => {
    expect(['bytes=0-', 'bytes=0-0', 'bytes=-1'].map((header) => wantedBytes(header, 0))).toEqual(
      Array(3).fill('not satisfiable'),
    );
    expect(wantedBytes(undefined, 0)).toBe('whole');
  });

  it('[ME3.1] a range lies inside the file, is never empty, and is as long as the header says', () => {
    fc.assert(
      fc.property(fc.option(digits, { nil: '' }), fc.option(digits, { nil: '' }), size, (from, to, bytes) => {
        const wanted = wantedBytes(`bytes=${from}-${to}`, bytes);
        if (typeof wanted === 'string') {
          const isBackwards = from !== '' && to !== '' && BigInt(to) < BigInt(from);
          if (wanted === 'whole') expect(isBackwards || (from === '' && to === '')).toBe(true);
          else expect(from === '' ? bytes === 0 || BigInt(to) === 0n : BigInt(from) >= BigInt(bytes)).toBe(true);
          return;
        }
        expect(wanted.first).toBeGreaterThanOrEqual(0);
        expect(wanted.last).toBeGreaterThanOrEqual(wanted.first);
        expect(wanted.last).toBeLessThan(bytes);
        if (from !== '') expect(BigInt(wanted.first)).toBe(BigInt(from));
        else expect(wanted.last).toBe(bytes - 1);
        if (from !== '' && to !== '' && BigInt(to) < BigInt(bytes)) expect(BigInt(wanted.last)).toBe(BigInt(to));
      }),
    );
  });

  it('[ME4.1] the slices of its chunks, put together, are the range', () => {
    const range = fc
      .tuple(fc.nat(3 * chunkBytes), fc.nat(3 * chunkBytes))
      .map(([a, b]): ByteRange => ({ first: Math.min(a, b), last: Math.max(a, b) }));
    fc.assert(
      fc.property(range, fc.nat(chunkBytes), (wanted, rest) => {
        const bytes = wanted.last + 1 + rest;
        let at = wanted.first;
        for (let index = chunkOf(wanted.first); index <= chunkOf(wanted.last); index++) {
          const { start, end } = sliceOfChunk(index, wanted);
          expect(index * chunkBytes + start).toBe(at);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(lengthOfChunk(index, bytes));
          at = index * chunkBytes + end;
        }
        expect(at).toBe(wanted.last + 1);
      }),
    );
  });

  it('[ME4.1] the chunks of a file, put together, are as long as it', () => {
    fc.assert(
      fc.property(fc.nat(20 * chunkBytes), (bytes) => {
        let sum = 0;
        for (let index = 0; index * chunkBytes < bytes; index++) {
          expect(lengthOfChunk(index, bytes)).toBeGreaterThan(0);
          sum += lengthOfChunk(index, bytes);
        }
        expect(sum).toBe(bytes);
        expect(lengthOfChunk(chunkOf(bytes) + 1, bytes)).toBe(0);
      }),
    );
  });
});
