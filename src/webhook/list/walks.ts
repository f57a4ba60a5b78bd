import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import type { OutboxProgress } from '../stream/outbox-progress.ts';
import { nextParked } from '../stream/parked.ts';
import { markOf } from '../stream/place-marks.ts';
import { findRevision, type ReadDeliveriesDeps } from '../stream/read-deliveries.ts';
import type { DeliveryStatusName } from './delivery-state.ts';

/** Events that are as many numbers away, or more, are looked up instead of read up to. */
const worthFinding = 200;

/** The way of a list through a delivery stream, past stretches without any of its deliveries. */
export interface Walk {
  readonly direction: 'forwards' | 'backwards';
  /** Where to read first; undefined if nothing is there. */
  first(): Promise<number | undefined>;
  /** Where to read on; undefined if nothing is left. */
  next(): Promise<number | undefined>;
  /**
   * To be called with each event, in the order of the walk.
   * @param event undefined if it cannot be read
   * @param status undefined: it is no delivery of the webhook
   */
  pass(revision: number, event: RecordedDelivery | undefined, status: DeliveryStatusName | undefined): void;
  /** Whether nothing can be left after the last event. */
  readonly isOver: boolean;
}

export interface Walked {
  deps: ReadDeliveriesDeps;
  sessionId: string;
  progress: OutboxProgress;
  /** Of the webhook's place. */
  key: string;
  /** Fingerprint of the only chat. */
  chat: string | undefined;
  /** Revision of the stream's last event; -1 if there is none. */
  end: number;
}

/** @param after revision of the last event of the page before; undefined: the first page */
export function walkOf(walked: Walked, status: DeliveryStatusName | undefined, after: number | undefined): Walk {
  if (status === 'pending') return pendingWalk(walked, after);
  if (status === 'parked') return parkedWalk(walked, after);
  return newestFirst(walked, status === 'delivered' ? walked.progress.upTo.revision : walked.end, after);
}

/** From the first of the chats that are behind. Once all of those are found, it goes on where nothing is delivered yet. */
function pendingWalk({ progress, chat, end }: Walked, after: number | undefined): Walk {
  const { chats, upTo, replay } = progress;
  const behind = [chats, replay?.chats ?? {}]
    .flatMap((some) => Object.entries(some))
    .filter(([key]) => chat === undefined || key === chat);
  const isCounted = after === undefined && replay === undefined;
  // What a page before has found is not known, nor in which chats the rest of a replay is.
  let left = isCounted ? behind.reduce((sum, [, { count }]) => sum + count, 0) : Infinity;
  const done = Math.min(upTo.revision, replay?.upTo.revision ?? Infinity);
  let last = after ?? Math.min(done, ...behind.map(([, { from }]) => from - 1));
  const next = async (): Promise<number | undefined> => {
    if (left <= 0) last = Math.max(last, upTo.revision);
    return last < end ? last + 1 : undefined;
  };
  return {
    direction: 'forwards',
    first: next,
    next,
    pass(revision, _event, status) {
      last = revision;
      if (status === 'pending') left -= 1;
    },
    get isOver() {
      return last >= end;
    },
  };
}

function parkedWalk({ deps, sessionId, progress: { parked, upTo } }: Walked, after: number | undefined): Walk {
  let last = after ?? -1;
  /** Number of the last delivery; undefined if it is not known. */
  let seq = after === undefined ? 0 : undefined;
  const next = async (): Promise<number | undefined> => {
    const number = nextParked(parked, (seq ?? 0) + 1);
    if (number === undefined) return undefined;
    const isFar = seq !== undefined && number - seq >= worthFinding;
    const from = isFar ? await findRevision(deps, sessionId, upTo.revision, isFrom(number)) : last + 1;
    return from <= upTo.revision ? from : undefined;
  };
  return {
    direction: 'forwards',
    first: next,
    next,
    pass(revision, event) {
      last = revision;
      if (event !== undefined) seq = event.metadata.seq;
    },
    get isOver() {
      return seq !== undefined && nextParked(parked, seq + 1) === undefined;
    },
  };
}

/** Each event says which one the webhook wanted before it. */
function newestFirst({ deps, sessionId, key, end }: Walked, from: number, after: number | undefined): Walk {
  let last = after ?? Math.min(from, end) + 1;
  /** Of the last readable event. */
  let marked: { seq: number; before: number } | undefined;
  let isOver = false;
  return {
    direction: 'backwards',
    first: async () => (last > 0 ? last - 1 : undefined),
    async next() {
      if (isOver || last <= 0) return undefined;
      if (marked === undefined || marked.seq - marked.before < worthFinding) return last - 1;
      return findRevision(deps, sessionId, last, isFrom(marked.before));
    },
    pass(revision, event) {
      last = revision;
      if (event === undefined) return;
      // Without a mark it is from before the webhook was set.
      const [before = 0] = markOf(event, key) ?? [];
      marked = { seq: event.metadata.seq, before };
      isOver = before === 0;
    },
    get isOver() {
      return isOver || last <= 0;
    },
  };
}

const isFrom =
  (number: number) =>
  ({ metadata: { seq } }: { metadata: { seq: number } }): boolean =>
    seq >= number;
