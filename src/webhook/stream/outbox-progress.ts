import type { SeqRange } from './seq-ranges.ts';

/**
 * The stream of what became of a session's deliveries. Its last event is the whole of it. Deliveries that a crash kept from
 * being noted there are made again, under the same IDs.
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

/** A chat that is behind the others: none of its deliveries is made from a revision of the delivery stream on. */
export interface ChatBehind {
  from: number;
  /** How many deliveries that is, up to `OutboxProgress.upTo`. */
  count: number;
  failing?: Failing;
}

/** Deliveries that were given up for the same reason. */
export interface Parked {
  error: string;
  ranges: SeqRange[];
}

export interface OutboxProgress {
  /** When the webhook was set that all of this is about; 0 if there was none. */
  since: number;
  /** The place in the delivery stream up to which everything is delivered or parked, except in chats that are behind. */
  upTo: { seq: number; revision: number };
  /** By the fingerprints of the chats. */
  chats: Record<string, ChatBehind>;
  parked: Parked[];
  lastDelivered?: { seq: number; at: number };
  lastError?: { seq: number; at: number; message: string };
}

export const emptyProgress: OutboxProgress = { since: 0, upTo: { seq: 0, revision: -1 }, chats: {}, parked: [] };

/** The progress for a webhook: of another webhook's progress only the place is kept. */
export const forWebhook = ({ upTo, chats, parked, ...progress }: OutboxProgress, since: number): OutboxProgress =>
  progress.since === since ? { ...progress, upTo, chats, parked } : { ...emptyProgress, since, upTo };
