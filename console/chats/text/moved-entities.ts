import type { Entity } from './text-tree.ts';

/**
 * The formatting of a text after it was edited: what lies before and behind the change keeps its own, what is written
 * inside a formatted piece belongs to it, and what is gone has none.
 */
export function movedEntities(before: string, after: string, entities: readonly Entity[]): Entity[] {
  const start = commonStart(before, after);
  const behind = commonEnd(before.slice(start), after.slice(start));
  const end = before.length - behind;
  const newEnd = after.length - behind;
  const moved = newEnd - end;
  /** Where a piece begins: inside what is gone, behind the change. */
  const fromOf = (place: number): number => {
    if (place >= end) return place + moved;
    return place <= start ? place : newEnd;
  };
  /** Where a piece ends: inside what is gone, before the change. */
  const toOf = (place: number): number => {
    if (place <= start) return place;
    return place >= end ? place + moved : start;
  };
  return entities.flatMap((entity) => {
    const offset = fromOf(entity.offset);
    const length = toOf(entity.offset + entity.length) - offset;
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
}

function commonStart(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[length] === other[length]) length += 1;
  return length;
}

function commonEnd(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  return length;
}
