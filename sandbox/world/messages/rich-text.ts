import { RpcError, type TlObject } from '../../rpc.ts';

export interface RichText {
  text: string;
  entities: TlObject[];
}

/** Telegram's limits in UTF-16 code units: `message_length_max` and `caption_length_max` of help.getConfig. */
export const maxTextLength = 4096;
export const maxCaptionLength = 1024;

/** Of a client's formatting entities Telegram keeps this many (TDLib, `MessageEntity.cpp`: "server-side limit"). */
const maxFormattingEntities = 100;

/** Entities that Telegram finds in the text. A client's own ones of these types are ignored. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['messageEntityUrl', /\bhttps?:\/\/[^\s<>"]+[^\s<>".,!?)]/giu],
  ['messageEntityEmail', /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gu],
  ['messageEntityMention', /(?<![\w@])@[a-z]\w{3,31}\b/giu],
  ['messageEntityHashtag', /(?<![\w#])#[\p{L}\d_]*\p{L}[\p{L}\d_]*/gu],
  ['messageEntityBotCommand', /(?<![\w/])\/[a-z]\w{0,31}(?:@[a-z]\w{3,31})?\b/giu],
];
const foundTypes = new Set(patterns.map(([type]) => type));

/**
 * A text as Telegram stores it: trimmed, with the first 100 of its entities, sorted, and with entities for the links,
 * mentions, hashtags and commands in it. Trimming moves no entity: a client that did not trim its text has its
 * formatting off by the blanks, or is refused. `resolve` gives the user ID of an `inputMessageEntityMentionName`.
 * @throws {RpcError} 400 ENTITY_BOUNDS_INVALID
 */
export function normalizeText(
  text: string,
  entities: readonly TlObject[],
  resolve: (input: TlObject) => bigint,
): RichText {
  const trimmed = text.trim();
  const kept: TlObject[] = [];
  for (const entity of entities) {
    const offset = Number(entity['offset']);
    const length = Number(entity['length']);
    if (offset < 0 || length < 0 || offset + length > trimmed.length) throw new RpcError(400, 'ENTITY_BOUNDS_INVALID');
    if (foundTypes.has(entity._)) continue;
    if (length > 0 && kept.length < maxFormattingEntities) kept.push(resolveMention(entity, resolve));
  }
  // Nothing is found inside code and links.
  const opaque = kept.filter(({ _: type }) => /Pre|Code|TextUrl|MentionName/.test(type));
  for (const entity of findEntities(trimmed)) {
    if (!opaque.some((other) => overlap(other, entity))) kept.push(entity);
  }
  return {
    text: trimmed,
    entities: kept.toSorted((a, b) => a['offset'] - b['offset'] || b['length'] - a['length']),
  };
}

function resolveMention(entity: TlObject, resolve: (input: TlObject) => bigint): TlObject {
  if (entity._ !== 'inputMessageEntityMentionName') return entity;
  return { ...entity, _: 'messageEntityMentionName', user_id: resolve(entity['user_id'] as TlObject) };
}

function findEntities(text: string): TlObject[] {
  const entities: TlObject[] = [];
  for (const [type, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const entity = { _: type, offset: match.index, length: match[0].length };
      if (!entities.some((other) => overlap(other, entity))) entities.push(entity);
    }
  }
  return entities;
}

function overlap(a: TlObject, b: TlObject): boolean {
  return a['offset'] < b['offset'] + b['length'] && b['offset'] < a['offset'] + a['length'];
}
