import { type DeliveryMetadata, isDelivered, type PlaceMark, type PlaceMarks } from './delivery-events.ts';

/** A webhook's key: no other webhook of its session ever has it. @param since when it was set, milliseconds since 1970 */
export const placeKey = (since: number): string => since.toString(36);

interface Marked {
  type: string;
  metadata: Pick<DeliveryMetadata, 'seq' | 'since' | 'places'>;
}

/** Undefined if the place did not exist when the event was recorded. */
export function markOf({ type, metadata: { seq, since, places } }: Marked, key: string): PlaceMark | undefined {
  // Before events had marks there was one webhook, which wanted all.
  if (places === undefined && placeKey(since) === key) return isDelivered(type) ? [seq - 1, seq, 1] : [seq, seq];
  return places?.[key];
}

/** Whether the event is to be delivered to the place. */
export const isWantedBy = (event: Marked, key: string): boolean =>
  isDelivered(event.type) && markOf(event, key)?.[2] !== undefined;

/** How many events the place has wanted, up to this one. */
export const countOf = (event: Marked, key: string): number => markOf(event, key)?.[1] ?? 0;

/** Whether an event whose content cannot be read is to be delivered to the place. @param metadata as far as it is readable */
export function isUnreadableWantedBy({ since, places }: { since?: unknown; places?: unknown }, key: string): boolean {
  if (typeof places === 'object' && places !== null) {
    const mark: unknown = (places as Record<string, unknown>)[key];
    return Array.isArray(mark) && mark[2] !== undefined;
  }
  // A later version wrote it, or another program.
  return typeof since !== 'number' || since >= Number.parseInt(key, 36);
}

/** What the marks of the next event continue from. */
export interface PlaceEnd {
  /** Number of the last event that the place wants; 0 if there is none. */
  last: number;
  count: number;
}

/** The places after an event, by their keys. */
export function placesAfter({ seq, since, places }: Marked['metadata']): Record<string, PlaceEnd> {
  if (places === undefined) return { [placeKey(since)]: { last: seq, count: seq } };
  return Object.fromEntries(
    Object.entries(places).map(([key, [before, count, isWanted]]) => [
      key,
      { last: isWanted === undefined ? before : seq, count },
    ]),
  );
}

/**
 * The marks of an event, and the places after it.
 * @param ends of all places that there are now
 * @param wantedBy keys of the places that want the event
 */
export function markNext(
  ends: Readonly<Record<string, PlaceEnd>>,
  seq: number,
  wantedBy: ReadonlySet<string>,
): { marks: PlaceMarks; after: Record<string, PlaceEnd> } {
  const marks: Record<string, PlaceMark> = {};
  const after: Record<string, PlaceEnd> = {};
  for (const [key, { last, count }] of Object.entries(ends)) {
    const isWanted = wantedBy.has(key);
    marks[key] = isWanted ? [last, count + 1, 1] : [last, count];
    after[key] = isWanted ? { last: seq, count: count + 1 } : { last, count };
  }
  return { marks, after };
}
