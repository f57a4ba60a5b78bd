import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import type { SeqRange } from './seq-ranges.ts';

/**
 * What has become of the deliveries of a session. The last event of the stream is the whole of it; what a crash takes of
 * the moment before is delivered again, under the same IDs.
 */
export const outboxStream = (sessionId: string): string => `${outboxPrefix}${sessionId}`;
export const outboxPrefix = 'outbox-';

/** The fact's name. */
const outboxMoved = 'OutboxMoved';

/** A chat whose first delivery fails: what comes after it waits. */
export interface Failing {
  /** Of that delivery. */
  attempts: number;
  /** Since when nothing of the chat has been taken; times in milliseconds since 1970. */
  since: number;
  nextAt: number;
}

/** A chat that is behind the others: of it, nothing from a revision of the delivery stream on is delivered. */
export interface ChatBehind {
  from: number;
  /** How many deliveries that are, up to where the stream has been looked at. */
  count: number;
  failing?: Failing;
}

/** Deliveries that were given up for the same reason. */
export interface Parked {
  error: string;
  ranges: SeqRange[];
}

export interface OutboxProgress {
  /** Since when the webhook has been set that all of this is about; 0 if there has been none. */
  since: number;
  /** The place in the delivery stream up to which everything is delivered or parked, but for the chats that are behind. */
  upTo: { seq: number; revision: number };
  /** By the fingerprints of the chats. */
  chats: Record<string, ChatBehind>;
  parked: Parked[];
  lastDelivered?: { seq: number; at: number };
  lastError?: { seq: number; at: number; message: string };
}

const emptyProgress: OutboxProgress = { since: 0, upTo: { seq: 0, revision: -1 }, chats: {}, parked: [] };

/** The same place, with nothing of what was for the webhook before. */
export const forWebhook = ({ upTo, chats, parked, ...progress }: OutboxProgress, since: number): OutboxProgress =>
  progress.since === since ? { ...progress, upTo, chats, parked } : { ...emptyProgress, since, upTo };

/** As it was recorded last. @throws {StoreUnavailableError} */
export async function loadProgress(store: Pick<EventStore, 'last'>, sessionId: string): Promise<OutboxProgress> {
  const last = await store.last(outboxStream(sessionId));
  return last === undefined ? emptyProgress : (last.data as unknown as OutboxProgress);
}

export interface SaveProgressDeps {
  store: Pick<EventStore, 'append'>;
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'uuid'>;
}

/** @returns the revision of its event. @throws {StoreUnavailableError} */
export async function saveProgress(
  { store, clock, random }: SaveProgressDeps,
  sessionId: string,
  progress: OutboxProgress,
): Promise<number> {
  const data = progress as unknown as Json;
  const event = { id: random.uuid(), type: outboxMoved, data, metadata: { at: clock.now() } };
  const { revision } = await store.append(outboxStream(sessionId), 'any', [event]);
  return revision;
}
