import type { Place } from '../filter/wanted.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { type DeliveryEvent, type DeliveryMetadata, isDelivered, isOwnFact } from '../stream/delivery-events.ts';
import { markNext, type PlaceEnd, placesAfter } from '../stream/place-marks.ts';
import type { UnplacedEvent } from './make-events.ts';

/** Those for which the record had begun at an event: every update after it is from after they were set. */
export const begunPlaces = (places: readonly Place[], metadata: DeliveryMetadata): Place[] => {
  const ends = placesAfter(metadata);
  const { unbegun = [] } = metadata;
  return places.filter(({ key }) => ends[key] !== undefined && !unbegun.includes(key));
};

/** Where a stream ends. */
export interface MarkedEnd {
  seq: number;
  /** By the keys of the places that there are now and that an event has marked. */
  ends: Readonly<Record<string, PlaceEnd>>;
  /** Of these, those that no update has marked. */
  unbegun: ReadonlySet<string>;
  /** Of the last event of the session's own log that is in the stream. */
  sessionRevision: number | undefined;
}

/** Where a stream ends with an event. @param last undefined if it has none */
export function markedEnd(places: readonly Place[], last: DeliveryMetadata | undefined): MarkedEnd {
  if (last === undefined) return { seq: 0, ends: {}, unbegun: new Set(), sessionRevision: undefined };
  const { seq, unbegun = [], sessionRevision } = last;
  const after = placesAfter(last);
  const ends = Object.fromEntries(
    places.flatMap(({ key }) => (after[key] === undefined ? [] : [[key, after[key]] as const])),
  );
  return { seq, ends, unbegun: new Set(unbegun.filter((key) => ends[key] !== undefined)), sessionRevision };
}

/**
 * Numbers events, a silent one like the delivered one before it, and notes who wants each.
 * @param places all that there are: with a `RecordingStarted` the record begins for each
 * @param position after them
 */
export function markEvents(
  events: readonly UnplacedEvent[],
  places: readonly Place[],
  before: MarkedEnd,
  position: Pick<DeliveryMetadata, 'position' | 'unfinishedUpTo'>,
): { events: DeliveryEvent[]; end: MarkedEnd } {
  let { seq, ends, sessionRevision } = before;
  const unbegun = new Set(before.unbegun);
  const marked = events.map(({ event, wantedBy: keys = new Set<string>() }): DeliveryEvent => {
    const isNumbered = isDelivered(event.type);
    if (isNumbered) seq += 1;
    const begins = event.type === 'RecordingStarted' ? places.map(({ key }) => key) : keys;
    const isOwn = isOwnFact(event.type);
    for (const key of begins) {
      if (!isOwn) unbegun.delete(key);
      else if (ends[key] === undefined) unbegun.add(key);
      ends = { [key]: { last: 0, count: 0 }, ...ends };
    }
    sessionRevision = event.metadata.sessionRevision ?? sessionRevision;
    const { marks, after } = markNext(ends, seq, isNumbered ? keys : new Set());
    ends = after;
    const kept = {
      ...(unbegun.size > 0 && { unbegun: [...unbegun] }),
      ...(sessionRevision !== undefined && { sessionRevision }),
    };
    return { ...event, metadata: deliveryCodec.stamp({ ...event.metadata, seq, places: marks, ...kept, ...position }) };
  });
  return { events: marked, end: { seq, ends, unbegun, sessionRevision } };
}
