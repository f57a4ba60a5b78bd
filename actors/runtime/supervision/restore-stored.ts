import { TimeoutError, withTimeout } from '../../kit/timeout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Partitions } from '../../ports/ownership.ts';
import type { FoundSession, StoredSession } from '../stored-session.ts';
import type { OwnSessions } from './own-sessions.ts';

/** Sessions restored at the same time: enough to share the store's commits, few enough for the memory. */
const maxRestoring = 1000;

export interface RestoreStoredDeps {
  clock: Clock;
  table: Pick<OwnSessions, 'wants'>;
  /** IDs of the sessions whose vault cannot be read. */
  unreadableVaults: () => Promise<readonly string[]>;
  /** Resolves when the session is active, or held. Never rejects. */
  restore: (id: string, stored: Exclude<StoredSession, 'deleted'>) => Promise<void>;
}

/**
 * Restores the stored sessions of these partitions, a limited number at a time.
 * @param maxWaitMs a session that takes longer no longer delays the others
 */
export async function restoreStored(
  { clock, table, unreadableVaults, restore }: RestoreStoredDeps,
  found: AsyncIterable<FoundSession>,
  partitions: Partitions,
  maxWaitMs: number | undefined,
): Promise<void> {
  const unreadable = new Set(await unreadableVaults());
  let restoring: Promise<void>[] = [];
  const restored = async (): Promise<void> => {
    const all = Promise.all(restoring);
    restoring = [];
    const late = (): Error => new TimeoutError('some sessions are still being restored');
    if (maxWaitMs === undefined) await all;
    else await withTimeout(clock, maxWaitMs, late, () => all).catch(() => {});
  };
  for await (const { id, read } of found) {
    if (!table.wants(id, partitions)) continue;
    const stored = await read();
    // Its partition may have been released meanwhile.
    if (stored === 'deleted' || !table.wants(id, partitions)) continue;
    const isHeld = typeof stored !== 'string' && unreadable.has(id);
    restoring.push(restore(id, isHeld ? 'held' : stored));
    if (restoring.length >= maxRestoring) await restored();
  }
  await restored();
}
