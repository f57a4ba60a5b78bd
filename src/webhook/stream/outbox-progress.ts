import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import { outboxCodec } from './outbox-codec.ts';
import type { SeqRange } from './seq-ranges.ts';

/**
 * What has become of the deliveries of a session. The last event of the stream is the whole of it; what a crash takes of
 * the moment before is delivered again, under the same IDs.
 */
export const outboxStream = (sessionId: string): string => `${outboxPrefix}${sessionId}`;
export const outboxPrefix = 'outbox-';

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

export interface LoadProgressDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * As it was saved last. What cannot be read is passed over: then it is as it was saved before that, or as if nothing had
 * been, and what was delivered since is delivered again.
 * @throws {StoreUnavailableError}
 */
export async function loadProgress(
  { store, reportUnreadable }: LoadProgressDeps,
  sessionId: string,
): Promise<OutboxProgress> {
  const last = await store.last(outboxStream(sessionId));
  if (last === undefined) return emptyProgress;
  const saved = outboxCodec.decode(last);
  if (!isUnreadable(saved)) return saved.data;
  const newestFirst = store.read(outboxStream(sessionId), { direction: 'backwards', from: last.revision });
  for await (const recorded of newestFirst) {
    const before = outboxCodec.decode(recorded);
    if (!isUnreadable(before)) return before.data;
    reportUnreadable(before);
  }
  return emptyProgress;
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
  // Interfaces have no index signature, but all of this is JSON.
  const data = progress as unknown as Json;
  const metadata = outboxCodec.stamp({ at: clock.now() });
  const event = { id: random.uuid(), type: 'OutboxMoved', data, metadata };
  const { revision } = await store.append(outboxStream(sessionId), 'any', [event]);
  return revision;
}
