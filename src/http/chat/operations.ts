import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { ChatsSchema, MessagesSchema, TopicsSchema } from './schemas.ts';

const picture = `https://gateway.example/media/${exampleId}/1002/5000000002/profile/Jb0…43 letters….jpg`;
const message = {
  id: '42',
  chatId: '1002',
  fromMe: false,
  user: { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '15550000002', picture },
  type: 'text',
  text: 'The train leaves at 8:15',
  entities: [],
  replyTo: '41',
  created: exampleTime,
  topic: '',
  reactions: [{ emoji: '👍', count: 1, fromMe: true }],
  buttons: [],
  edited: '',
};
const chat = {
  id: '1002',
  kind: 'user',
  name: 'Bob Stone',
  username: 'bobstone',
  picture,
  unread: 2,
  muted: false,
  pinned: true,
  archived: false,
  last: message,
};

const chatId = 'The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.';
const topic = 'Of a forum: the messages of one topic; 1 is General.';
const limit = '1 to 100; 50 if it is left out.';
const before = 'The `before` of the previous page; empty for the newest messages.';
const wrongChat: ErrorLine = [400, 'chat not found', 'The account has not met it, or is not in it.'];
const wrongLimit: ErrorLine = [400, 'limit must be between 1 and 100', ''];
const wrongBefore: ErrorLine = [400, 'before must be a number', ''];
const noChat: ErrorLine = [400, 'chatId must be a string\nchatId should not be empty', 'It is missing.'];

export const chatOperations: Readonly<Record<string, Operation>> = {
  'GET /chat': {
    id: 'listChats',
    tag: 'Chats',
    summary: 'All chats of the account, newest first',
    description:
      'Private chats, bots, groups and channels. The pinned ones come first, in addition to the `limit` of the first page. ' +
      "Chats of Telegram's own accounts, which send login codes, are left out. A page of a key with `chats` is `limit` of these in the " +
      'order of the key, newest first, without those that the account does not have.',
    access: 'session',
    needs: 'connected',
    parameters: {
      archived: '`true`: those of the archive; else those outside of it.',
      after: 'The `after` of the previous page; empty for the first one.',
      limit,
    },
    response: {
      description: 'A page of chats. `after` is empty on the last page.',
      schema: ChatsSchema,
      example: { docs: [chat], after: 'WzE3NjcxMjQ4MDAsNDIsIjEwMDIiLDFd' },
    },
    errors: [[400, 'after must be that of a page', ''], wrongLimit],
  },
  'GET /chat/:chatId': {
    id: 'getChat',
    tag: 'Chats',
    summary: 'One chat',
    description: 'The same object as in the list of all chats.',
    access: 'session',
    needs: 'connected',
    parameters: { chatId },
    response: { description: 'The chat.', schema: component('Chat'), example: chat },
    errors: [wrongChat],
  },
  'GET /chat/message': {
    id: 'listMessages',
    tag: 'Chats',
    summary: 'The messages of any chat, newest first',
    description: 'What only says that something happened in the chat (service messages) is left out.',
    access: 'session',
    needs: 'connected',
    parameters: { chatId, topic, before, limit },
    response: {
      description: 'A page of messages. `before` is empty on the last page.',
      schema: MessagesSchema,
      example: { docs: [message], before: '42' },
    },
    errors: [noChat, wrongBefore, wrongLimit, wrongChat],
  },
  'GET /chat/message/:messageId': {
    id: 'getMessage',
    tag: 'Chats',
    summary: 'One message',
    description: 'The same object as in the list of messages.',
    access: 'session',
    needs: 'connected',
    parameters: { messageId: 'Message ID.', chatId },
    response: { description: 'The message.', schema: component('Message'), example: message },
    errors: [noChat, wrongChat, [400, 'message not found', 'The chat has no such message, or not any more.']],
  },
  'GET /chat/search': {
    id: 'searchMessages',
    tag: 'Chats',
    summary: 'The messages that have some words, newest first',
    description: 'In one chat, or in all of them.',
    access: 'session',
    needs: 'connected',
    parameters: {
      chatId: `${chatId} Without one, all chats are searched.`,
      q: 'The words.',
      topic,
      before,
      limit,
    },
    response: {
      description: 'A page of messages. `before` is empty on the last page.',
      schema: MessagesSchema,
      example: { docs: [message], before: '' },
    },
    errors: [
      [400, 'q must be a string\nq should not be empty', 'It is missing.'],
      wrongBefore,
      [400, 'before must be that of a page', 'Without a `chatId`.'],
      [403, 'a key with chats has to name a chatId', ''],
      wrongLimit,
      wrongChat,
    ],
  },
  'GET /group/:groupId/topic': {
    id: 'listTopics',
    tag: 'Groups',
    summary: 'The topics of a forum',
    description: 'Pinned ones first, then those with the newest messages.',
    access: 'session',
    needs: 'connected',
    parameters: {
      groupId: 'Group ID or public group username.',
      after: 'The `after` of the previous page; empty for the first one.',
      limit,
    },
    response: {
      description: 'A page of topics. `after` is empty on the last page.',
      schema: TopicsSchema,
      example: {
        docs: [
          { id: '17', name: 'Trains', unread: 2, pinned: false, closed: false, last: { ...message, topic: '17' } },
        ],
        after: '',
      },
    },
    errors: [
      [400, 'group not found', 'Not a group, or not joined.'],
      [400, 'after must be that of a page', ''],
      wrongLimit,
      [500, '400: CHANNEL_FORUM_MISSING (caused by channels.GetForumTopics)', 'The group has no topics.'],
    ],
  },
};
