import type { Place } from '../filter/wanted.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { type DeliveryEvent, type DeliveryMetadata, isDelivered } from '../stream/delivery-events.ts';
import { markNext, type PlaceEnd, placesAfter } from '../stream/place-marks.ts';
import type { UnplacedEvent } from './make-events.ts';

/** Those for which the record had begun at an event: every update after it is from after they were set. */
export const begunPlaces = (places: readonly Place[], metadata: DeliveryMetadata): Place[] => {
  const ends = placesAfter(metadata);
  return places.filter(({ key }) => ends[key] !== undefined);
};

/** Where the places that there are now stand after an event. */
export function endsOf(places: readonly Place[], metadata: DeliveryMetadata | undefined): Record<string, PlaceEnd> {
  if (metadata === undefined) return {};
  const ends = placesAfter(metadata);
  return Object.fromEntries(places.flatMap(({ key }) => (ends[key] === undefined ? [] : [[key, ends[key]]])));
}

/** Where a stream ends. */
export interface MarkedEnd {
  seq: number;
  ends: Readonly<Record<string, PlaceEnd>>;
}

/**
 * Numbers events, a silent one like the delivered one before it, and notes who wants each.
 * @param places all that there are: with a `RecordingStarted` the record begins for each
 */
export function markEvents(
  events: readonly UnplacedEvent[],
  places: readonly Place[],
  before: MarkedEnd,
  position: Pick<DeliveryMetadata, 'position' | 'unfinishedUpTo'>,
): { events: DeliveryEvent[]; end: MarkedEnd } {
  let { seq, ends } = before;
  const marked = events.map(({ event, wantedBy: keys = new Set<string>() }): DeliveryEvent => {
    const isNumbered = isDelivered(event.type);
    if (isNumbered) seq += 1;
    const begins = event.type === 'RecordingStarted' ? places.map(({ key }) => key) : keys;
    for (const key of begins) ends = { [key]: { last: 0, count: 0 }, ...ends };
    const { marks, after } = markNext(ends, seq, isNumbered ? keys : new Set());
    ends = after;
    return { ...event, metadata: deliveryCodec.stamp({ ...event.metadata, seq, places: marks, ...position }) };
  });
  return { events: marked, end: { seq, ends } };
}
