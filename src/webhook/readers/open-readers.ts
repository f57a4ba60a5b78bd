import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { EventFilter } from '../filter/event-filter.ts';
import type { StoredReader } from '../stream/outbox-progress.ts';
import type { Reader } from './reader.ts';
import type { Wish } from './reader-events.ts';

/** The readers of a session as they were saved, none of them connected. One whose wish does not open is left out. */
export async function openReaders(
  { clock, sealer }: { clock: Pick<Clock, 'now'>; sealer: Pick<Sealer, 'open'> },
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
