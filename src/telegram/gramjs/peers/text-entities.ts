import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { PeerCache } from '../../peer-cache.ts';
import type { TextEntity } from '../../port/text.ts';
import { inputUser } from './input-peer.ts';

/** Formatting in the form of a request. A mention of an unknown user stays plain text. */
export function messageEntities(entities: readonly TextEntity[], book: PeerCache): Api.TypeMessageEntity[] {
  return entities.flatMap((entity) => messageEntity(entity, book) ?? []);
}

function messageEntity(entity: TextEntity, book: PeerCache): Api.TypeMessageEntity | undefined {
  const range = { offset: entity.offset, length: entity.length };
  switch (entity.type) {
    case 'bold':
      return new Api.MessageEntityBold(range);
    case 'italic':
      return new Api.MessageEntityItalic(range);
    case 'underline':
      return new Api.MessageEntityUnderline(range);
    case 'strikethrough':
      return new Api.MessageEntityStrike(range);
    case 'spoiler':
      return new Api.MessageEntitySpoiler(range);
    case 'code':
      return new Api.MessageEntityCode(range);
    case 'blockquote':
      return new Api.MessageEntityBlockquote(range);
    case 'expandableBlockquote':
      return new Api.MessageEntityBlockquote({ ...range, collapsed: true });
    case 'customEmoji':
      return new Api.MessageEntityCustomEmoji({ ...range, documentId: long(BigInt.asIntN(64, BigInt(entity.id))) });
    case 'pre':
      return new Api.MessageEntityPre({ ...range, language: entity.language });
    case 'link':
      return new Api.MessageEntityTextUrl({ ...range, url: entity.url });
    case 'mention': {
      const user = book.get(entity.userId);
      const userId = user === undefined ? undefined : inputUser(user);
      return userId === undefined ? undefined : new Api.InputMessageEntityMentionName({ ...range, userId });
    }
  }
}

/** The formatting of a message. What Telegram finds in a text by itself (addresses, @names, #tags) is left out. */
export function textEntities(entities: readonly Api.TypeMessageEntity[]): TextEntity[] {
  return entities.flatMap((entity) => textEntity(entity) ?? []);
}

function textEntity(entity: Api.TypeMessageEntity): TextEntity | undefined {
  const { offset, length } = entity;
  const plain = plainTypes.get(entity.className);
  if (plain !== undefined) return { type: plain, offset, length };
  if (entity instanceof Api.MessageEntityBlockquote) {
    return { type: entity.collapsed ? 'expandableBlockquote' : 'blockquote', offset, length };
  }
  if (entity instanceof Api.MessageEntityCustomEmoji) {
    return { type: 'customEmoji', offset, length, id: entity.documentId.toString() };
  }
  if (entity instanceof Api.MessageEntityPre) return { type: 'pre', offset, length, language: entity.language };
  if (entity instanceof Api.MessageEntityTextUrl) return { type: 'link', offset, length, url: entity.url };
  if (entity instanceof Api.MessageEntityMentionName) {
    return { type: 'mention', offset, length, userId: entity.userId.toString() };
  }
  return undefined;
}

/** Formatting that has nothing but its place. */
const plainTypes = new Map<string, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'code'>([
  ['MessageEntityBold', 'bold'],
  ['MessageEntityItalic', 'italic'],
  ['MessageEntityUnderline', 'underline'],
  ['MessageEntityStrike', 'strikethrough'],
  ['MessageEntitySpoiler', 'spoiler'],
  ['MessageEntityCode', 'code'],
]);

/** Converts a native number to GramJS's. */
export const long = (value: bigint): Api.long => bigInt(value);
