import type { MessageDoc } from '../../api/types.ts';

export type Entity = MessageDoc['entities'][number];

/** A piece of a text: plain, or formatted with what is in it. */
export type TextNode = string | { entity: Entity; children: TextNode[] };

/** A text and its formatting as a tree. Of two entities that cross, the later one is split. */
export function textTree(text: string, entities: readonly Entity[]): TextNode[] {
  const sorted = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  return nodesOf(text, 0, text.length, sorted);
}

/** @param entities by offset, outer ones first; those of the text from `start` to `end` */
function nodesOf(text: string, start: number, end: number, entities: readonly Entity[]): TextNode[] {
  const nodes: TextNode[] = [];
  const waiting = [...entities];
  let at = start;
  for (let entity = waiting.shift(); entity !== undefined; entity = waiting.shift()) {
    const from = Math.max(entity.offset, at);
    const to = Math.min(endOf(entity), end);
    if (from >= to) continue;
    if (from > at) nodes.push(text.slice(at, from));
    const inside: Entity[] = [];
    const behind: Entity[] = [];
    for (const other of waiting.splice(0)) {
      if (other.offset < to) inside.push({ ...other, length: Math.min(endOf(other), to) - other.offset });
      if (endOf(other) > to) behind.push(cutFrom(other, to));
    }
    waiting.push(...behind);
    nodes.push({ entity, children: nodesOf(text, from, to, inside) });
    at = to;
  }
  if (at < end) nodes.push(text.slice(at, end));
  return nodes;
}

const endOf = ({ offset, length }: Entity): number => offset + length;

function cutFrom(entity: Entity, place: number): Entity {
  const offset = Math.max(entity.offset, place);
  return { ...entity, offset, length: endOf(entity) - offset };
}
