import { expect, it } from 'vitest';
import type { SessionView } from '../../../../projections/session-view.ts';
import { unfinishedErasures } from '../../../../src/compose/cluster/unfinished-erasures.ts';
import { createMemoryViewDatabase } from '../../../support/store/memory-view-database.ts';

const dayMs = 24 * 60 * 60_000;
const now = 100 * dayMs;

/** Views of sessions that were deleted one second after the other; the last one now. */
function setUp(count: number) {
  const database = createMemoryViewDatabase();
  const views = Array.from({ length: count }, (_, number) => ({
    id: `s${number}`,
    state: 'deleted',
    ended: true,
    since: now - 1_000 * number,
  })) as SessionView[];
  const live = { id: 'live', state: 'connected', ended: false, since: now } as SessionView;
  const old = { id: 'old', state: 'deleted', ended: true, since: now - 4 * dayMs } as SessionView;
  const progress = { upTo: 1n, position: 1n, stream: 's', revision: 1, eventId: 'e' };
  database.save({ views: [old, live, ...views], pictures: [], ends: [], sides: [] }, progress);
  const asked: string[] = [];
  const erasures = async (atStart: string[], remaining: string[]): Promise<string[]> => {
    const deps = {
      store: {
        last: async (stream: string) => {
          asked.push(stream);
          return remaining.includes(stream) ? ({} as never) : undefined;
        },
      },
      views: database,
      clock: { now: () => now },
      vaults: Promise.resolve({ ids: atStart, unreadable: [] }),
    };
    const found: string[] = [];
    for await (const id of unfinishedErasures(deps, { has: (session) => session !== 's2' })) found.push(id);
    return found;
  };
  return { erasures, asked };
}

it('[CL2.23] erasures that another owner has left are found: of sessions with a vault, or with a log-out that is owed', async () => {
  const { erasures, asked } = setUp(700);
  const left = ['vault-s699', 'vault-s1', 'vault-s2', 'vault-old', 'vault-s350.log-out'];
  expect(await erasures(['at start', 's5'], left)).toEqual(['at start', 's5', 's1', 's350', 's699']);
  expect(asked).not.toContain('vault-live');
  expect(asked).not.toContain('vault-s5');
});
