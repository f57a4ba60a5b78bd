import { paceErrors } from '../session/pace-errors.ts';
import { SessionIdResponse } from '../session/schemas.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { allowanceHeaders } from '../shared/openapi/response-headers.ts';
import { ForwardedMessages, PressedButton } from './action-schemas.ts';
import { idempotencyKey, recipientErrors } from './operations.ts';

const done = (description: string) => ({ description, schema: SessionIdResponse, example: { id: exampleId } });
const needed = { access: 'session', tag: 'Messages', needs: 'connected' } as const;

const chatErrors: ErrorLine[] = [
  [400, 'invalid phone, username, user, group or channel', 'No chat.'],
  ...recipientErrors,
  [400, 'channel not found', 'Not a channel, or not joined.'],
];
const messageErrors: ErrorLine[] = [
  [400, 'messageId should not be empty', ''],
  [400, 'messageId must be a message ID', ''],
  ...chatErrors,
  [500, 'telegram did not answer in time', 'Within 240 seconds.'],
];
const messageNotFound: ErrorLine = [400, 'message not found', 'The chat has no such message, or not any more.'];
const keyErrors: ErrorLine[] = [
  [400, 'idempotency key was used with another body', ''],
  [503, 'the idempotency keys of this session cannot be read', 'A request without a key is possible.'],
];

const refusal = (error: string, request: string, when: string): ErrorLine => [
  500,
  `${error} (caused by messages.${request})`,
  when,
];

/** The query of a `DELETE` names the chat as the bodies of the other endpoints do. */
const chatParameters = {
  group: 'The chat: a group, by ID or username.',
  channel: 'The chat: a channel, by ID or username.',
  user: 'The chat: a user ID.',
  username: 'The chat: a username.',
  phone: 'The chat: a phone number.',
};

export const messageActionOperations: Readonly<Record<string, Operation>> = {
  'PATCH /message': {
    ...needed,
    id: 'editMessage',
    summary: 'Edit a text or a caption',
    description:
      'The media of the message stay. An empty text removes a caption. An edit that would change nothing is refused by ' +
      'Telegram, unless an earlier request with the same key has made it.',
    parameters: idempotencyKey,
    requests: {
      text: { user: '1002', messageId: '42', text: 'The train leaves at **8:20**', parseMode: 'markdown' },
      caption: { group: '-1003001', messageId: '77', text: '' },
    },
    response: done('The message reads so now.'),
    errors: [
      [400, 'text should not be empty', 'It is missing.'],
      ...messageErrors,
      ...keyErrors,
      refusal('403: MESSAGE_AUTHOR_REQUIRED', 'EditMessage', 'Another account wrote it.'),
      refusal('400: MESSAGE_EDIT_TIME_EXPIRED', 'EditMessage', 'It is older than two days.'),
      refusal('400: MESSAGE_NOT_MODIFIED', 'EditMessage', 'It is so already.'),
    ],
  },
  'POST /message/forward': {
    ...needed,
    id: 'forwardMessages',
    summary: 'Forward messages of one chat to another',
    description: 'All of them or none, in the given order. The messages of an album stay together.',
    parameters: idempotencyKey,
    requests: {
      forward: { from: { group: '-1003001' }, messageIds: ['77', '78'], user: '1002' },
      copy: { from: { channel: 'daily' }, messageIds: ['12'], group: '-1003001', dropAuthor: true },
    },
    response: {
      description: 'The IDs of the new messages, in the order of the request.',
      schema: ForwardedMessages,
      example: { messageIds: ['4711', '4712'] },
    },
    headers: allowanceHeaders,
    errors: [
      [400, 'from should not be empty', ''],
      [400, 'messageIds should not be empty', ''],
      [400, 'messageIds must have between 1 and 100 entries', ''],
      [400, 'messageIds.0 must be a message ID', ''],
      [400, 'invalid from.phone, from.username, from.user, from.group or from.channel', 'No chat in `from`.'],
      ...chatErrors,
      messageNotFound,
      ...keyErrors,
      [500, 'send timeout after 240s', ''],
      ...paceErrors,
      refusal('400: CHAT_FORWARDS_RESTRICTED', 'ForwardMessages', 'The chat protects its messages.'),
    ],
  },
  'POST /message/button': {
    ...needed,
    id: 'pressButton',
    summary: 'Press an inline button',
    description:
      'Answers what its bot says. All is empty if the bot did not answer in time: the button was pressed. A button with a URL ' +
      'answers it, and nothing is asked. With a key the button is pressed once at most.',
    parameters: idempotencyKey,
    requests: { button: { username: 'helperbot', messageId: '42', row: 0, column: 1 } },
    response: {
      description: "What the button's bot says.",
      schema: PressedButton,
      example: { text: 'Your order is confirmed', url: '', alert: true },
    },
    errors: [
      [400, 'row must be between 0 and 99', 'Likewise column.'],
      ...messageErrors,
      messageNotFound,
      [400, 'button not found', 'The message has no inline button there.'],
      [400, 'button is not supported', 'It wants a login, a payment, a password, a web app or a chat.'],
      ...keyErrors,
      [
        500,
        'it is not known whether the button was pressed',
        'Telegram did not answer, or the gateway ended meanwhile. It is not pressed again under this key.',
      ],
    ],
  },
  'POST /message/vote': {
    ...needed,
    id: 'voteInPoll',
    summary: 'Vote in a poll or quiz, or take the vote back',
    description: 'The places of the answers, counted from 0; none takes the vote back. A vote in a quiz is final.',
    parameters: idempotencyKey,
    requests: {
      vote: { group: '-1003001', messageId: '77', options: [0] },
      'taken back': { group: '-1003001', messageId: '77', options: [] },
    },
    response: done('The vote counts, or is taken back.'),
    errors: [
      [400, 'options should not be empty', 'It is missing.'],
      [400, 'options.0 must be between 0 and 3', 'The poll has four answers.'],
      ...messageErrors,
      messageNotFound,
      [400, 'message is not a poll', ''],
      ...keyErrors,
      refusal('400: MESSAGE_POLL_CLOSED', 'SendVote', ''),
      refusal('400: OPTIONS_TOO_MUCH', 'SendVote', 'The poll takes one answer.'),
      refusal('400: REVOTE_NOT_ALLOWED', 'SendVote', 'The account has voted in this quiz.'),
    ],
  },
  'DELETE /message': {
    ...needed,
    id: 'deleteMessages',
    summary: 'Delete messages',
    description:
      'Messages that the chat does not have are passed over. In supergroups and channels a message is always deleted ' +
      'for everyone.',
    parameters: {
      ...chatParameters,
      messageIds: 'Up to 100, separated by commas, or the parameter is repeated.',
      forEveryone: '`true`: for the other members of the chat too; else for this account alone.',
    },
    response: done('The chat has none of the messages any more.'),
    errors: [
      [400, 'messageIds must be a string\nmessageIds should not be empty', 'It is missing.'],
      [400, 'messageIds must have between 1 and 100 entries', ''],
      [400, 'messageIds.0 must be a message ID', ''],
      ...chatErrors,
      [500, 'telegram did not answer in time', 'Within 240 seconds.'],
      [
        500,
        '403: MESSAGE_DELETE_FORBIDDEN (caused by channels.DeleteMessages)',
        'The account may not delete messages of others.',
      ],
    ],
  },
  'POST /message/reaction': {
    ...needed,
    id: 'reactToMessage',
    summary: 'React to a message, or take the reaction back',
    description: 'The emoji replaces an earlier reaction of the account; an empty one takes it back.',
    requests: {
      reaction: { user: '1002', messageId: '42', emoji: '👍' },
      'taken back': { user: '1002', messageId: '42', emoji: '' },
    },
    response: done('The reaction is there, or is taken back.'),
    errors: [
      [400, 'emoji should not be empty', 'It is missing.'],
      ...messageErrors,
      refusal('400: REACTION_INVALID', 'SendReaction', 'No reaction, or the chat does not allow it.'),
      refusal('400: MESSAGE_ID_INVALID', 'SendReaction', 'The chat has no such message.'),
    ],
  },
  'POST /message/pin': {
    ...needed,
    id: 'pinMessage',
    summary: 'Pin a message for all',
    description: 'In addition to those that are pinned already.',
    requests: { pin: { group: '-1003001', messageId: '77' } },
    response: done('The message is pinned.'),
    errors: [
      ...messageErrors,
      refusal('400: CHAT_ADMIN_REQUIRED', 'UpdatePinnedMessage', 'The account may not pin.'),
      refusal('400: MESSAGE_ID_INVALID', 'UpdatePinnedMessage', 'The chat has no such message.'),
    ],
  },
  'DELETE /message/pin': {
    ...needed,
    id: 'unpinMessage',
    summary: 'Unpin a message for all',
    description: 'Other pinned messages stay.',
    parameters: { ...chatParameters, messageId: 'Message ID.' },
    response: done('The message is not pinned any more.'),
    errors: [
      [400, 'messageId must be a string\nmessageId should not be empty', 'It is missing.'],
      ...messageErrors,
      refusal('400: CHAT_ADMIN_REQUIRED', 'UpdatePinnedMessage', 'The account may not pin.'),
    ],
  },
};
