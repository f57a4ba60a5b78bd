import type { Static, TObject } from 'typebox';
import type { TextEntity } from '../telegram/port/text.ts';
import type { contentFields } from './message-schema.ts';

type EntityObject = Static<TObject<typeof contentFields>>['entities'][number];

/** A piece of formatting by the names of the Bot API. */
export function entityObject(entity: TextEntity): EntityObject {
  const { offset, length } = entity;
  switch (entity.type) {
    case 'expandableBlockquote':
      return { type: 'expandable_blockquote', offset, length };
    case 'customEmoji':
      return { type: 'custom_emoji', offset, length, customEmojiId: entity.id };
    case 'pre':
      return { type: 'pre', offset, length, language: entity.language };
    case 'link':
      return { type: 'text_link', offset, length, url: entity.url };
    case 'mention':
      return { type: 'text_mention', offset, length, userId: entity.userId };
    default:
      return { type: entity.type, offset, length };
  }
}
