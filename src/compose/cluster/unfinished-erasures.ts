import { inTurns } from '../../../actors/kit/next-turn.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Partitions } from '../../../actors/ports/ownership.ts';
import { placeInList, type SessionViews } from '../../../projections/session-view.ts';
import { logOutStream, vaultStream } from '../../store/vault/vault-codec.ts';
import type { StoredVaults } from '../../store/vault/vault-records.ts';

/** A log-out is tried for up to 24 hours. The other two days allow for a time without any owner. */
const owedMs = 3 * 24 * 60 * 60_000;
/** Views that are read and looked at in a turn of the event loop: about 5 ms. */
const viewsPerTurn = 250;

interface ErasuresDeps {
  store: Pick<EventStore, 'last'>;
  views: Pick<SessionViews, 'list'>;
  clock: Pick<Clock, 'now'>;
  /** As they were at the start. */
  vaults: Promise<StoredVaults>;
}

/**
 * Sessions that may have a vault still, or a log-out that is owed: those that had one at the start, and those of these partitions
 * that another process has deleted since.
 */
export async function* unfinishedErasures(
  { store, views, clock, vaults }: ErasuresDeps,
  partitions: Partitions,
): AsyncGenerator<string> {
  const { ids } = await vaults;
  yield* ids;
  const atStart = new Set(ids);
  const since = clock.now() - owedMs;
  for await (const page of inTurns(pagesOfEnded(views, since), 1)) {
    for (const id of page) {
      if (!partitions.has(id) || atStart.has(id)) continue;
      const remains = (await store.last(vaultStream(id))) ?? (await store.last(logOutStream(id)));
      if (remains !== undefined) yield id;
    }
  }
}

/** The IDs of the sessions that were deleted since then, the last deleted first. */
function* pagesOfEnded(views: ErasuresDeps['views'], since: number): Generator<string[]> {
  for (let after = ''; ; ) {
    const page = views.list({ state: 'ended', sort: '-since', after, limit: viewsPerTurn });
    const ended = page.filter((view) => view.since >= since);
    yield ended.map(({ id }) => id);
    const last = page.at(-1);
    if (last === undefined || ended.length < viewsPerTurn) return;
    after = placeInList(last, '-since');
  }
}
