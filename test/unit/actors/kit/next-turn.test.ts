import { expect, it } from 'vitest';
import { inTurns } from '../../../../actors/kit/next-turn.ts';

it('[CL2.12] a walk in turns has all items in order, and lets the event loop go on between its shares', async () => {
  const turnOf: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 10 }, (_, index) => index);
  const walked: number[] = [];
  for await (const item of inTurns(items, 4)) {
    walked.push(item);
    turnOf.push(turn);
  }
  isOver = true;
  expect(walked).toEqual(items);
  const turns = [...new Set(turnOf)];
  expect(turns.map((one) => turnOf.filter((other) => other === one).length)).toEqual([4, 4, 2]);
});
