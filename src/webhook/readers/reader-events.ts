import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { LiveUpdate } from '../../telegram/port/updates.ts';
import type { FilteredEvent } from '../filter/event-filter.ts';
import { outboxCodec } from '../stream/outbox-codec.ts';
import { outboxPrefix, readersSuffix, type StoredReader } from '../stream/outbox-progress.ts';

/** EV3: how long what a reader wishes is kept, and recorded for, after it left. */
export const keptAfterMs = 24 * 60 * 60_000;
/** EV3: of a session. */
export const maxReaders = 5;

/** What a reader wishes: its name and its filter, sealed as JSON. */
export interface Wish {
  name: string;
  events: readonly string[];
  chats: string | readonly string[];
  isBound?: true | undefined;
}

/** The readers of a session as they were saved last; none if they cannot be read. */
export function readersOf(recorded: RecordedEvent, report: ReportUnreadable): StoredReader[] {
  const saved = outboxCodec.decode(recorded);
  if (isUnreadable(saved)) report(saved);
  return !isUnreadable(saved) && saved.type === 'ReadersMoved' ? saved.data.readers : [];
}

/** The saved readers of all sessions. @throws {StoreUnavailableError} */
export async function* savedReaders(
  store: Pick<EventStore, 'lastOfEach'>,
  report: ReportUnreadable,
): AsyncGenerator<{ sessionId: string; readers: StoredReader[] }> {
  for await (const recorded of store.lastOfEach(outboxPrefix)) {
    if (!recorded.stream.endsWith(readersSuffix)) continue;
    const sessionId = recorded.stream.slice(outboxPrefix.length, -readersSuffix.length);
    yield { sessionId, readers: readersOf(recorded, report) };
  }
}

/** What is not recorded, as a filter looks at it. */
export const momentOf = (update: LiveUpdate): FilteredEvent =>
  update.type === 'chat.typing'
    ? { type: update.type, chatId: update.chat.id, kind: update.chat.kind }
    : { type: update.type, chatId: update.user.id, kind: 'user' };
