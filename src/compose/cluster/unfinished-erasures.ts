import type { Clock } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Partitions } from '../../../actors/ports/ownership.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import { logOutStream, vaultStream } from '../../store/vault/vault-codec.ts';
import type { StoredVaults } from '../../store/vault/vault-records.ts';

/** A log-out is owed for up to 24 hours; the rest is for an owner that was away meanwhile. */
const owedMs = 3 * 24 * 60 * 60_000;
const pageViews = 250;

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
  let page: SessionView[] = [];
  do {
    const after = page.at(-1)?.id;
    page = views.list({ state: 'ended', limit: pageViews, ...(after !== undefined && { after }) });
    for (const view of page) {
      if (!partitions.has(view.id) || atStart.has(view.id) || view.since < since) continue;
      const remains = (await store.last(vaultStream(view.id))) ?? (await store.last(logOutStream(view.id)));
      if (remains !== undefined) yield view.id;
    }
  } while (page.length === pageViews);
}
