import { expect, it } from 'vitest';
import type { DeliveryFact, DeliveryMetadata, PlaceMarks } from '../../../../src/webhook/stream/delivery-events.ts';
import {
  countOf,
  isUnreadableWantedBy,
  isWantedBy,
  markNext,
  markOf,
  type PlaceEnd,
  placeKey,
  placesAfter,
} from '../../../../src/webhook/stream/place-marks.ts';

interface Marked {
  type: DeliveryFact;
  metadata: DeliveryMetadata;
}

const event = (seq: number, places?: PlaceMarks, type: DeliveryFact = 'MessageReceived'): Marked => ({
  type,
  metadata: { at: 0, seq, login: 1, since: 5, position: { pts: 1, qts: 0, date: 0 }, ...(places && { places }) },
});

it('[EV2.4] each event says of each place which one it wanted before, and how many', () => {
  let ends: Readonly<Record<string, PlaceEnd>> = { a: { last: 0, count: 0 }, b: { last: 7, count: 3 } };
  const marked: PlaceMarks[] = [];
  for (const [seq, wanting] of [
    [8, ['a']],
    [9, ['b']],
    [10, ['a', 'b']],
    [10, []],
  ] as const) {
    const { marks, after } = markNext(ends, seq, new Set<string>(wanting));
    marked.push(marks);
    ends = after;
    expect(placesAfter({ seq, since: 5, places: marks })).toEqual(after);
  }
  expect(marked).toEqual([
    { a: [0, 1, 1], b: [7, 3] },
    { a: [8, 1], b: [7, 4, 1] },
    { a: [8, 2, 1], b: [9, 5, 1] },
    { a: [10, 2], b: [10, 5] },
  ]);
  const second = event(9, marked[1]);
  expect([isWantedBy(second, 'a'), isWantedBy(second, 'b'), isWantedBy(second, 'c')]).toEqual([false, true, false]);
  expect([countOf(second, 'b'), countOf(second, 'c')]).toEqual([4, 0]);
});

it('[EV2.4] an event from before there were several webhooks is wanted by the one that there was', () => {
  const own = placeKey(5);
  expect(markOf(event(3), own)).toEqual([2, 3, 1]);
  expect(markOf(event(3, undefined, 'MessageSent'), own)).toEqual([3, 3]);
  expect(markOf(event(3), placeKey(6))).toBeUndefined();
  expect(placesAfter(event(3).metadata)).toEqual({ [own]: { last: 3, count: 3 } });
});

it('[FA7.3] an unreadable event is for the places that its metadata names; without any, for those that were there', () => {
  const places = { a: [1, 2, 1], b: [1, 2] };
  expect([isUnreadableWantedBy({ places }, 'a'), isUnreadableWantedBy({ places }, 'b')]).toEqual([true, false]);
  expect(isUnreadableWantedBy({}, placeKey(5))).toBe(true);
  expect([4, 5, 6].map((since) => isUnreadableWantedBy({ since }, placeKey(5)))).toEqual([false, true, true]);
});
