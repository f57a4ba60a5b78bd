import { type Static, Type } from 'typebox';

import { keywords } from '../shared/keywords.ts';
import { text } from '../shared/openapi/describe.ts';
import { messageId, parseMode, recipientFields, topic } from './schemas.ts';

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

const place = Type.Integer({ minimum: 0, maximum: 99 });

export const ButtonBody = Type.Object({ ...messageOfChat, row: place, column: place });

export const VoteBody = Type.Object({ ...messageOfChat, options: Type.Array(place, { minItems: 0, maxItems: 100 }) });

export const ForwardBody = Type.Object({
  ...recipientFields,
  from: Type.Object(recipientFields),
  topic,
  messageIds,
  dropAuthor: Type.Optional(Type.Boolean()),
});

export const PressedButton = Type.Object(
  {
    text: text('What the bot says; empty if it says nothing.'),
    url: text('What the bot, or the button, wants to be opened; empty if nothing.'),
    alert: Type.Boolean({ description: 'The text is shown until it is confirmed.' }),
  },
  { additionalProperties: false },
);

export type PressedButton = Static<typeof PressedButton>;

export const ForwardedMessages = Type.Object(
  {
    messageIds: Type.Array(Type.String(), { description: 'IDs in the receiving chat, in the order of the messages.' }),
  },
  { additionalProperties: false },
);

export const DeleteQuery = Type.Object({
  ...recipientFields,
  messageIds,
  forEveryone: Type.Optional(Type.Enum(['true', 'false'])),
});
