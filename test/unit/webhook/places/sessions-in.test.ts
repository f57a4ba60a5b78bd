import { expect, it } from 'vitest';
import { sessionIdsIn } from '../../../../src/webhook/places/sessions-in.ts';

const ids = Array.from({ length: 3_200 }, (_, number) => `session ${String(number).padStart(5, '0')}`);

it('[CL2.12] the sessions of a partition are found among many, a share of them in each turn of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const readIn = new Map<number, number>();
  const views = {
    liveIds(after: string, limit: number): string[] {
      const page = ids.filter((id) => id > after).slice(0, limit);
      readIn.set(turn, (readIn.get(turn) ?? 0) + page.length);
      return page;
    },
  };
  count();
  const found = await sessionIdsIn(views, { has: (id) => id.endsWith('7') });
  isOver = true;
  expect(found).toEqual(ids.filter((id) => id.endsWith('7')));
  expect(Math.max(...readIn.values())).toBeLessThanOrEqual(500);
});
