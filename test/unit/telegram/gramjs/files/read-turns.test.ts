import { beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import { ReadTurns } from '../../../../../src/telegram/gramjs/files/read-turns.ts';
import { failureOf } from '../../../../support/kit/failure-of.ts';

/** Reads that last until the test ends them, of links of one account. */

let turns: ReadTurns;
/** The links of the reads that run, in the order of their beginning. */
let begun: string[];
let ends: (() => void)[];
beforeEach(() => {
  turns = new ReadTurns();
  begun = [];
  ends = [];
});

const until = new LightAbort();
const read = (link: string, dc = 2, signal = until): Promise<void> =>
  turns.of(link)(
    dc,
    () => {
      begun.push(link);
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    },
    signal,
  );
const settle = (): Promise<void> => new Promise(setImmediate);
const begin = async (link: string, count: number): Promise<void> => {
  for (let each = 0; each < count; each += 1) void read(link);
  await settle();
};

it('[NB3.3] a link with many viewers leaves a place for another one, which does not wait', async () => {
  await begin('busy', 600);
  expect(begun).toEqual(Array.from({ length: 6 }, () => 'busy'));
  await begin('other', 1);
  expect(begun.at(-1)).toBe('other');
});

it('[NB3.3] links that wait take turns', async () => {
  await begin('busy', 600);
  await begin('other', 5);
  await begin('third', 5);
  expect(begun).toHaveLength(8);
  for (const end of ends.splice(0)) end();
  await settle();
  const shares = ['busy', 'other', 'third'].map((link) => begun.slice(8).filter((each) => each === link).length);
  expect(shares.toSorted((a, b) => a - b)).toEqual([2, 3, 3]);
});

it('[NB3.3] a data centre has turns of its own, and a viewer that leaves gives up its', async () => {
  await begin('busy', 600);
  void read('busy', 4);
  await settle();
  expect(begun).toHaveLength(7);
  await begin('other', 2);
  const left = new LightAbort();
  const leaving = failureOf(read('other', 2, left));
  left.abort(new Error('the viewer has left'));
  expect(await leaving).toMatchObject({ message: 'the viewer has left' });
});
