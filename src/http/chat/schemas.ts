import { type Static, Type } from 'typebox';
import { contentFields, userFields } from '../../chats/message-schema.ts';
import { messageId as messageIdText, recipientFields, topic } from '../message/schemas.ts';
import { filledText, maxTextLength, shortText } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { component, maybeTime, mediaLink, text, time } from '../shared/openapi/describe.ts';
import { limitUpTo } from '../shared/paging.ts';

const messageId = Type.String({ maxLength: maxTextLength, ...keywords({ pattern: '^[0-9]+$', is: 'a number' }) });
const limit = limitUpTo(100);

export const ChatsQuery = Type.Object({
  archived: Type.Optional(Type.Enum(['true', 'false'])),
  after: Type.Optional(shortText),
  limit,
});
export const ChatParams = Type.Object({ chatId: Type.String() });

export const ChatMessagesQuery = Type.Object({ chatId: filledText, topic, before: Type.Optional(messageId), limit });
/** `before` is a message ID with a `chatId`, and that of a page without one. */
export const SearchQuery = Type.Object({
  chatId: Type.Optional(Type.String({ maxLength: maxTextLength })),
  q: filledText,
  topic,
  before: Type.Optional(shortText),
  limit,
});
export const MessageQuery = Type.Object({ chatId: filledText });
export const MessageParams = Type.Object({ messageId });

/** `recipientFields` name the chat. */
export const ReadChatBody = Type.Object({ ...recipientFields, topic, messageId: Type.Optional(messageIdText) });
export const ArchiveChatBody = Type.Object({ ...recipientFields, on: Type.Boolean() });
export const SwitchChatBody = Type.Object({ ...recipientFields, topic, on: Type.Boolean() });

export const TopicsQuery = Type.Object({ after: Type.Optional(shortText), limit });

const closed = { additionalProperties: false };

export const MessageSchema = Type.Object(
  {
    id: text('Message ID.'),
    chatId: text('The chat.'),
    fromMe: Type.Boolean({ description: 'The account wrote it, here or elsewhere.' }),
    user: Type.Object(
      { id: text('User ID, or the ID of the chat that wrote.'), ...userFields },
      { ...closed, description: 'The other side of a private chat, whichever side wrote; else who wrote.' },
    ),
    ...contentFields,
    replyTo: text('ID of the message that it replies to; empty if none.'),
    created: time('When it was sent.'),
    topic: text("The forum's topic; empty outside of forums."),
    reactions: Type.Array(
      Type.Object(
        {
          emoji: text('Empty for a custom emoji.'),
          count: Type.Integer(),
          fromMe: Type.Boolean({ description: 'The account reacted so.' }),
        },
        closed,
      ),
    ),
    buttons: Type.Array(
      Type.Array(Type.Object({ text: Type.String(), url: text('Empty unless it opens one.') }, closed)),
      { description: 'Rows of inline buttons.' },
    ),
    edited: maybeTime('When it was edited.'),
  },
  closed,
);
export type MessageSchema = Static<typeof MessageSchema>;

export const ChatSchema = Type.Object(
  {
    id: text('Chat ID. Usable as `user`, `group` or `channel` in Send Message.'),
    kind: Type.Enum(['user', 'bot', 'group', 'channel']),
    name: Type.String(),
    username: text('Without @. Empty if none.'),
    picture: mediaLink('the small photo, until there is another one; empty if none.'),
    unread: Type.Integer({ description: 'Messages that were not read yet.' }),
    muted: Type.Boolean(),
    pinned: Type.Boolean(),
    archived: Type.Boolean(),
    last: Type.Union([component<MessageSchema>('Message'), Type.Null()], {
      description: 'The newest message; null if there is none, or it only says what happened in the chat.',
    }),
  },
  closed,
);
export type ChatSchema = Static<typeof ChatSchema>;

export const ChatsSchema = Type.Object({
  docs: Type.Array(component<ChatSchema>('Chat')),
  after: text('The `after` of the next page; empty at the end.'),
});
export type ChatsSchema = Static<typeof ChatsSchema>;
export const MessagesSchema = Type.Object({
  docs: Type.Array(component<MessageSchema>('Message')),
  before: text('The `before` of the next page; empty at the end.'),
});
export type MessagesSchema = Static<typeof MessagesSchema>;

const TopicSchema = Type.Object(
  {
    id: text('Topic ID: that of its first message; 1 is General.'),
    name: Type.String(),
    unread: Type.Integer({ description: 'Messages that were not read yet.' }),
    pinned: Type.Boolean(),
    closed: Type.Boolean({ description: 'Only administrators write in it.' }),
    last: Type.Union([component<Static<typeof MessageSchema>>('Message'), Type.Null()], {
      description: 'The newest message; null if there is none, or it only says what happened in the topic.',
    }),
  },
  closed,
);
export const TopicsSchema = Type.Object({
  docs: Type.Array(TopicSchema),
  after: text('The `after` of the next page; empty at the end.'),
});
export type TopicsSchema = Static<typeof TopicsSchema>;
