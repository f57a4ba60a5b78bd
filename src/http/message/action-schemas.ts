import { Type } from 'typebox';

import { keywords } from '../shared/keywords.ts';
import { messageId, parseMode, recipientFields } from './schemas.ts';

/** As many as one request to Telegram takes. */
const messageIds = Type.Array(messageId, { minItems: 1, maxItems: 100 });

/** In UTF-16 code units; an emoji of several people and colours has about 30. */
const maxEmojiLength = 64;

/** A message of a chat; `recipientFields` name the chat. */
const messageOfChat = { ...recipientFields, messageId };

export const EditBody = Type.Object({
  ...messageOfChat,
  text: Type.String(keywords({ emptyCounts: true })),
  parseMode,
});

export const ReactionBody = Type.Object({
  ...messageOfChat,
  emoji: Type.String({ maxLength: maxEmojiLength, ...keywords({ emptyCounts: true }) }),
});

export const PinBody = Type.Object(messageOfChat);

export const DeleteQuery = Type.Object({
  ...recipientFields,
  messageIds,
  forEveryone: Type.Optional(Type.Enum(['true', 'false'])),
});
