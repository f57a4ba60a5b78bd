import type { Sealed } from '../../../actors/ports/sealer.ts';
import { firstWebhook } from '../../../actors/session/events.ts';
import type { SeqRange } from './seq-ranges.ts';

/**
 * The stream of the progress of the deliveries to one of a session's webhooks. Its last event is the complete progress. If
 * a crash loses the last progress, its deliveries are made again with the same IDs.
 * @param slot of the webhook: 1 to 5
 */
export const outboxStream = (sessionId: string, slot: number): string =>
  `${outboxPrefix}${sessionId}${slot === firstWebhook ? '' : `.${slot}`}`;
export const outboxPrefix = 'outbox-';
/** The session of an {@link outboxStream}. IDs of sessions have no dot. */
export const sessionIdOfOutbox = (stream: string): string => stream.slice(outboxPrefix.length).split('.', 1)[0] ?? '';

export const readersSuffix = '.readers';
/** The stream of a session's readers: its last event has all of them. */
export const readersStream = (sessionId: string): string => `${outboxPrefix}${sessionId}${readersSuffix}`;

/** A chat whose first delivery fails: later deliveries wait. */
export interface Failing {
  /** Of that delivery. */
  attempts: number;
  /** Time of the first failure in a row; times in milliseconds since 1970. */
  since: number;
  nextAt: number;
  /** Why the last of these attempts failed. Absent in progress that an earlier version saved. */
  error?: string;
}

/** A chat that is behind the others: from a revision of the delivery stream on, none of its deliveries is made yet. */
export interface ChatBehind {
  from: number;
  /** Number of these deliveries, up to `OutboxProgress.upTo`. */
  count: number;
  failing?: Failing;
}

/** Deliveries that were given up for the same reason. */
export interface Parked {
  error: string;
  ranges: SeqRange[];
}

export interface StreamPlace {
  seq: number;
  revision: number;
  /** How many events the webhook has wanted, up to this one. Absent in progress that an earlier version saved: it is `seq`. */
  count?: number;
}

/** Chosen deliveries that are made once more, in their order, beside all others. */
export interface Replay {
  /** Their numbers; events between them are passed by. */
  ranges: SeqRange[];
  /** As those of {@link OutboxProgress}; `count` is how many of the chosen ones have been read. */
  upTo: StreamPlace & { count: number };
  chats: Record<string, ChatBehind>;
  /** Where it ends; `count` is how many are chosen. */
  end: StreamPlace & { count: number };
}

export interface OutboxProgress {
  /** When the webhook was set that the progress is about; 0 if there was none. */
  since: number;
  /** Revision of the delivery stream up to which all is delivered or parked, except in chats that are behind. */
  upTo: StreamPlace;
  /** By the fingerprints of the chats. */
  chats: Record<string, ChatBehind>;
  parked: Parked[];
  lastDelivered?: { seq: number; at: number };
  lastError?: { seq: number; at: number; message: string };
  /** Finished deliveries that took several attempts, the newest last: the number of each, and how many it took. */
  retried?: [seq: number, attempts: number][];
  /** Absent if none is under way. */
  replay?: Replay | undefined;
}

/** A reader as it is saved (EV3). */
export interface StoredReader {
  /** Of its place in the delivery stream. */
  key: string;
  /** When it came first, milliseconds since 1970. */
  since: number;
  /** JSON of its name and its filter. */
  wish: Sealed;
  /** Number of the last event that it has. */
  place: number;
  /** When its connection ended; absent while it is connected. */
  leftAt?: number;
}

export const emptyProgress: OutboxProgress = { since: 0, upTo: { seq: 0, revision: -1 }, chats: {}, parked: [] };

/** The progress for a webhook: from another webhook's progress only the place is kept. */
export const forWebhook = ({ upTo, chats, parked, ...progress }: OutboxProgress, since: number): OutboxProgress =>
  progress.since === since
    ? { ...progress, upTo, chats, parked }
    : { ...emptyProgress, since, upTo: { ...upTo, count: 0 } };
