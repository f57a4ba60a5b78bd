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

export const emptyProgress: OutboxProgress = { since: 0, upTo: { seq: 0, revision: -1 }, chats: {}, parked: [] };

/** The same place, with nothing of what was for the webhook before. */
export const forWebhook = ({ upTo, chats, parked, ...progress }: OutboxProgress, since: number): OutboxProgress =>
  progress.since === since ? { ...progress, upTo, chats, parked } : { ...emptyProgress, since, upTo };
