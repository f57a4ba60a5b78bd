import type { Static } from 'typebox';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { LiveUpdate } from '../../telegram/port/updates.ts';
import { type EventFilter, type FilteredEvent, wants } from '../../webhook/filter/event-filter.ts';
import type { LivePayload } from '../../webhook/payload/live-payloads.ts';
import type { Payload } from '../../webhook/payload/payloads.ts';
import type { ConnectedReader } from '../../webhook/readers/connected-reader.ts';
import { followReader } from '../../webhook/readers/follow-reader.ts';
import { type Reader, TooManyReadersError } from '../../webhook/readers/reader-book.ts';
import { maxReaders } from '../../webhook/readers/reader-events.ts';
import type { AppDeps } from '../shared/app-types.ts';
import type { EventStreams } from '../shared/event-stream.ts';
import type { ReaderQuery } from './schemas.ts';

export type ReaderDeps = Pick<
  AppDeps,
  | 'readers'
  | 'live'
  | 'recording'
  | 'store'
  | 'clock'
  | 'randomness'
  | 'sealer'
  | 'views'
  | 'mediaLinks'
  | 'reportUnreadable'
> & { streams: EventStreams };

/** A reader comes: its wish is recorded for from here on. @throws {GatewayError} 400 {@link StoreUnavailableError} */
export async function joinReader(
  { readers, recording }: ReaderDeps,
  sessionId: string,
  { reader: name, events, chats }: Static<typeof ReaderQuery>,
  after: number | undefined,
  connection: ConnectedReader,
): Promise<Reader> {
  const wish: Partial<EventFilter> = { ...(events && { events }), ...(chats && { chats }) };
  try {
    const reader = await readers.join(sessionId, { name, ...wish }, after, connection);
    recording.webhookSet(sessionId);
    return reader;
  } catch (error) {
    if (!(error instanceof TooManyReadersError)) throw error;
    throw new GatewayError(400, `a session has up to ${maxReaders} readers`);
  }
}

/** Until the reader leaves, comes again, or the session is deleted. */
export async function* readEnvelopes(
  deps: ReaderDeps,
  sessionId: string,
  reader: Reader,
  connection: ConnectedReader,
): AsyncGenerator<Payload | LivePayload> {
  const stopListening = deps.views.onChange(sessionId, () => {
    if (deps.views.get(sessionId)?.ended !== false) deps.readers.forget(sessionId);
  });
  const stopShowing = deps.live.subscribe(sessionId, (update) => {
    if (wants(reader.filter, momentOf(update))) connection.show(update);
  });
  try {
    yield* followReader(deps, sessionId, reader, connection);
  } finally {
    stopListening();
    stopShowing();
  }
}

/** As a filter looks at it. */
const momentOf = (update: LiveUpdate): FilteredEvent =>
  update.type === 'chat.typing'
    ? { type: update.type, chatId: update.chat.id, kind: update.chat.kind }
    : { type: update.type, chatId: update.user.id, kind: 'user' };
