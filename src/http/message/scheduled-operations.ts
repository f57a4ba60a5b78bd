import { SessionIdResponse } from '../session/schemas.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { ScheduledMessages } from './scheduled-schemas.ts';

const needed = { access: 'session', tag: 'Messages', needs: 'connected' } as const;
const chatId = 'The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.';
const chatErrors: ErrorLine[] = [
  [400, 'chatId must be a string\nchatId should not be empty', 'It is missing.'],
  [400, 'chat not found', 'The account has not met it, or is not in it.'],
];
const waiting = {
  id: '3',
  chatId: '1002',
  fromMe: true,
  user: { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '15550000002', picture: '' },
  type: 'text',
  text: 'Happy birthday!',
  entities: [],
  replyTo: '',
  created: exampleTime,
  topic: '',
  reactions: [],
  buttons: [],
  edited: '',
  sendAt: exampleTime,
};

export const scheduledOperations: Readonly<Record<string, Operation>> = {
  'GET /message/scheduled': {
    ...needed,
    id: 'listScheduledMessages',
    summary: "The messages of a chat's queue, the first to leave first",
    description:
      'Those that Telegram will send for the account, from here or from its other devices; 100 at most. `id` is the ' +
      '`scheduledId`. Their media have no links: those of a message exist once it was sent, under another ID.',
    parameters: { chatId },
    response: { description: 'The messages that wait.', schema: ScheduledMessages, example: { docs: [waiting] } },
    errors: chatErrors,
  },
  'DELETE /message/scheduled': {
    ...needed,
    id: 'deleteScheduledMessage',
    summary: 'Take a message out of the queue',
    description: 'By its `scheduledId`, before Telegram sends it.',
    parameters: { chatId, scheduledId: "The message's `scheduledId`." },
    response: {
      description: 'The message is not sent any more.',
      schema: SessionIdResponse,
      example: { id: exampleId },
    },
    errors: [
      ...chatErrors,
      [400, 'scheduledId should not be empty', ''],
      [400, 'scheduledId must be a message ID', ''],
      [400, 'message not found', 'The queue has no such message: it was deleted, or sent.'],
    ],
  },
};
