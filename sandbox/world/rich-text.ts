import { RpcError, type TlObject } from '../rpc.ts';

export interface RichText {
  text: string;
  entities: TlObject[];
}

/** Telegram's limits, in UTF-16 code units. */
export const maxTextLength = 4096;
export const maxCaptionLength = 1024;

/** What a client may not write itself: Telegram finds these in the text. */
const found: readonly (readonly [string, RegExp])[] = [
  ['messageEntityUrl', /\bhttps?:\/\/[^\s<>"]+[^\s<>".,!?)]/giu],
  ['messageEntityEmail', /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gu],
  ['messageEntityMention', /(?<![\w@])@[a-z]\w{3,31}\b/giu],
  ['messageEntityHashtag', /(?<![\w#])#[\p{L}\d_]*\p{L}[\p{L}\d_]*/gu],
  ['messageEntityBotCommand', /(?<![\w/])\/[a-z]\w{0,31}(?:@[a-z]\w{3,31})?\b/giu],
];
const foundNames = new Set(found.map(([name]) => name));

/**
 * A text as Telegram keeps it: without white space around, its entities moved, clipped and sorted, and links, mentions,
 * hashtags and commands found in it. `resolve` gives the user whom an `inputMessageEntityMentionName` names.
 * @throws {RpcError} 400 ENTITY_BOUNDS_INVALID
 */
export function tidyText(text: string, entities: readonly TlObject[], resolve: (input: TlObject) => bigint): RichText {
  const lead = text.length - text.trimStart().length;
  const tidy = text.trim();
  const kept: TlObject[] = [];
  for (const entity of entities) {
    const offset = Number(entity['offset']);
    const length = Number(entity['length']);
    if (offset < 0 || length < 0 || offset + length > text.length) throw new RpcError(400, 'ENTITY_BOUNDS_INVALID');
    if (foundNames.has(entity._)) continue;
    const from = Math.max(0, offset - lead);
    const to = Math.min(tidy.length, offset - lead + length);
    if (to > from) kept.push({ ...named(entity, resolve), offset: from, length: to - from });
  }
  const taken = kept.filter(({ _: name }) => /Pre|Code|TextUrl|MentionName/.test(name));
  for (const entity of findEntities(tidy)) if (!taken.some((other) => overlap(other, entity))) kept.push(entity);
  return {
    text: tidy,
    entities: kept.toSorted((a, b) => a['offset'] - b['offset'] || b['length'] - a['length']),
  };
}

function named(entity: TlObject, resolve: (input: TlObject) => bigint): TlObject {
  if (entity._ !== 'inputMessageEntityMentionName') return entity;
  return { _: 'messageEntityMentionName', user_id: resolve(entity['user_id'] as TlObject) };
}

function findEntities(text: string): TlObject[] {
  const entities: TlObject[] = [];
  for (const [name, pattern] of found) {
    for (const match of text.matchAll(pattern)) {
      const entity = { _: name, offset: match.index, length: match[0].length };
      if (!entities.some((other) => overlap(other, entity))) entities.push(entity);
    }
  }
  return entities;
}

function overlap(a: TlObject, b: TlObject): boolean {
  return a['offset'] < b['offset'] + b['length'] && b['offset'] < a['offset'] + a['length'];
}
