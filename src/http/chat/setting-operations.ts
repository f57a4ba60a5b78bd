import { recipientErrors } from '../message/operations.ts';
import { SessionIdResponse } from '../session/schemas.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';

const needed = { access: 'session', tag: 'Chats', needs: 'connected' } as const;
const done = (description: string) => ({ description, schema: SessionIdResponse, example: { id: exampleId } });
const chatErrors: ErrorLine[] = [
  [400, 'invalid phone, username, user, group or channel', 'No chat.'],
  ...recipientErrors,
  [400, 'channel not found', 'Not a channel, or not joined.'],
  [500, 'telegram did not answer in time', 'Within 240 seconds.'],
];
const switchErrors: ErrorLine[] = [
  [400, 'on should not be empty', 'It is missing.'],
  [400, 'on must be a boolean', ''],
  ...chatErrors,
];

export const chatSettingOperations: Readonly<Record<string, Operation>> = {
  'POST /chat/read': {
    ...needed,
    id: 'readChat',
    summary: 'Mark a chat as read, up to a message or whole',
    description: 'Without `messageId`: up to the newest message.',
    requests: { all: { user: '1002' }, 'up to a message': { group: '-1003001', messageId: '77' } },
    response: done('The messages count as read.'),
    errors: [[400, 'messageId must be a message ID', ''], ...chatErrors],
  },
  'POST /chat/archive': {
    ...needed,
    id: 'archiveChat',
    summary: 'Move a chat into the archive, or out of it',
    description: '`on` moves it into the archive.',
    requests: { archive: { user: '1002', on: true } },
    response: done('The chat is where it should be.'),
    errors: switchErrors,
  },
  'POST /chat/mute': {
    ...needed,
    id: 'muteChat',
    summary: 'Mute a chat, or no longer',
    description: '`on` mutes it until it is turned off. With `topic`: that topic alone.',
    requests: { mute: { group: '-1003001', on: true }, topic: { group: '-1003001', topic: '17', on: true } },
    response: done('The chat notifies as it should.'),
    errors: switchErrors,
  },
  'POST /chat/pin': {
    ...needed,
    id: 'pinChat',
    summary: 'Put a chat at the top of the list, or back to its place',
    description: '`on` pins it. With `topic`: that topic above the others, for all members.',
    requests: { pin: { channel: 'daily', on: true }, topic: { group: '-1003001', topic: '17', on: true } },
    response: done('The chat is where it should be.'),
    errors: [
      ...switchErrors,
      [
        500,
        '400: PINNED_DIALOGS_TOO_MUCH (caused by messages.ToggleDialogPin)',
        'Five chats are pinned, ten with Telegram Premium.',
      ],
    ],
  },
};
