import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, ReadOptions, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { deliveryCodec, type RecordedDelivery } from './delivery-codec.ts';
import { deliveryStream } from './delivery-events.ts';
import { SeqTracker } from './seq-tracker.ts';

export interface ReadDeliveriesDeps {
  store: Pick<EventStore, 'read'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * The events of a session's delivery stream. An unreadable one is reported and left out, but counts for `limit`.
 * @throws {StoreUnavailableError}
 */
export async function* readDeliveries(
  { store, reportUnreadable }: ReadDeliveriesDeps,
  sessionId: string,
  options: ReadOptions,
): AsyncGenerator<RecordedDelivery> {
  for await (const recorded of store.read(deliveryStream(sessionId), options)) {
    const event = deliveryCodec.decode(recorded);
    if (isUnreadable(event)) reportUnreadable(event);
    else yield event;
  }
}

/** The first readable event from a revision on. @throws {StoreUnavailableError} */
export async function deliveryFrom(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  from: number,
): Promise<RecordedDelivery | undefined> {
  for await (const event of readDeliveries(deps, sessionId, { from, limit: 1 })) return event;
  // There is none, or it cannot be read.
  for await (const event of readDeliveries(deps, sessionId, { from })) return event;
  return undefined;
}

/**
 * Binary search: the revision of the first event that satisfies `predicate`, or lastRevision + 1. `predicate` must be
 * monotonic. Unreadable events are skipped.
 * @throws {StoreUnavailableError}
 */
export async function findRevision(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  lastRevision: number,
  predicate: (event: Pick<RecordedDelivery, 'type' | 'metadata'>) => boolean,
): Promise<number> {
  let low = 0;
  let high = lastRevision + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await deliveryFrom(deps, sessionId, middle);
    if (event === undefined || predicate(event)) high = middle;
    else low = event.revision + 1;
  }
  return low;
}

/** The end of a delivery stream. */
export interface DeliveriesEnd {
  /** Of the last event, whether or not it can be read. */
  revision: number;
  /** The highest number. */
  seq: number;
  /** The last readable event. */
  last: RecordedDelivery | undefined;
}

/** Undefined if there is no event. @throws {StoreUnavailableError} */
export async function endOfDeliveries(
  { store, reportUnreadable }: ReadDeliveriesDeps & { store: Pick<EventStore, 'last'> },
  sessionId: string,
): Promise<DeliveriesEnd | undefined> {
  const newest = await store.last(deliveryStream(sessionId));
  if (newest === undefined) return undefined;
  const { revision } = newest;
  const event = deliveryCodec.decode(newest);
  if (!isUnreadable(event)) return { revision, seq: event.metadata.seq, last: event };
  const unreadable: RecordedEvent[] = [];
  for await (const recorded of store.read(deliveryStream(sessionId), { direction: 'backwards', from: revision })) {
    const last = deliveryCodec.decode(recorded);
    if (!isUnreadable(last)) return { revision, seq: highestSeq(last.metadata.seq, unreadable), last };
    reportUnreadable(last);
    unreadable.unshift(recorded);
  }
  return { revision, seq: highestSeq(0, unreadable), last: undefined };
}

/** @param unreadable what follows, in its order */
function highestSeq(before: number, unreadable: readonly RecordedEvent[]): number {
  const numbers = new SeqTracker(before);
  for (const event of unreadable) numbers.pass(event);
  return numbers.seq;
}
