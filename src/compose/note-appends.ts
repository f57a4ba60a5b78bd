import { type EventStore, WrongExpectedRevisionError } from '../../actors/ports/event-store.ts';
import { wrapStore } from '../../actors/ports/wrap-store.ts';
import type { SeenStore } from '../store/tools/seen-store.ts';

/**
 * A store whose appends are noted. If a stream ends before what this process has recorded in it, the whole store is
 * checked: a server may have come back empty, or from a backup.
 */
export function noteAppends(
  store: EventStore,
  seen: Pick<SeenStore, 'note'>,
  check: () => Promise<unknown>,
): EventStore {
  let checking: Promise<unknown> | undefined;
  return wrapStore(store, async (stream, expected, events) => {
    try {
      const appended = await store.append(stream, expected, events);
      const last = events.at(-1);
      if (last !== undefined) seen.note(stream, appended, last.id);
      return appended;
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError && typeof expected === 'number' && error.actual < expected) {
        checking ??= check().finally(() => {
          checking = undefined;
        });
      }
      throw error;
    }
  });
}
