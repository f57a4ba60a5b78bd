import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { EventFilter } from '../filter/event-filter.ts';
import { readersStream, type StoredReader } from '../stream/outbox-progress.ts';
import type { Reader } from './reader.ts';
import { readersOf, type Wish } from './reader-events.ts';

export interface OpenReadersDeps {
  clock: Pick<Clock, 'now'>;
  sealer: Pick<Sealer, 'open'>;
}

/** The readers of a session as they were saved last, as {@link openReaders} opens them. @throws {StoreUnavailableError} */
export async function readReaders(
  deps: OpenReadersDeps & { store: Pick<EventStore, 'last'>; reportUnreadable: ReportUnreadable },
  sessionId: string,
): Promise<Reader[]> {
  const last = await deps.store.last(readersStream(sessionId));
  return last === undefined ? [] : await openReaders(deps, sessionId, readersOf(last, deps.reportUnreadable));
}

/** The readers of a session as they were saved, none of them connected. One whose wish does not open is left out. */
export async function openReaders(
  { clock, sealer }: OpenReadersDeps,
  sessionId: string,
  readers: readonly StoredReader[],
): Promise<Reader[]> {
  const opened: Reader[] = [];
  for (const stored of readers) {
    const text = await sealer.open(sessionId, stored.wish).catch((error: unknown) => {
      if (isRetryable(error)) throw error;
    });
    if (text === undefined) continue;
    // One that was connected has left with the process that it was connected to.
    opened.push(readerOf({ ...stored, leftAt: stored.leftAt ?? clock.now() }, JSON.parse(text) as Wish));
  }
  return opened;
}

/** A reader that is not connected. */
export const readerOf = (stored: StoredReader, { name, events, chats, isBound }: Wish): Reader => ({
  name,
  key: stored.key,
  since: stored.since,
  filter: { events, chats, ...(isBound && { isBound }) } as EventFilter,
  stored,
  connection: undefined,
});
