import { Type } from 'typebox';
import { sessionStates } from '../../../../actors/session/events.ts';

/** What answers hold, for the API document: the tests hold the answers to it. */

const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ description: `${description} ISO 8601.` });
const maybeTime = (description: string) => Type.String({ description: `${description} ISO 8601, or empty.` });
const mediaLink = (description: string) => Type.String({ description: `Media link: ${description}` });
const list = (item: ReturnType<typeof named>) => Type.Object({ docs: Type.Array(item) });

/** Stands for a schema of {@link components}. */
export const named = (name: string) => Type.Unsafe<unknown>({ 'x-component': name });

const webhook = Type.Object(
  { url: Type.String(), token: Type.String() },
  { description: 'Both empty while the webhook is off.' },
);

const sessionFields = {
  id: text('Main ID of the session.'),
  generatedId: text('User ID of the logged-in account. Empty if it has never connected.'),
  name: text('Account name. Falls back to username, phone or ID when empty.'),
  username: text('Account username without @. Empty if none.'),
  phone: text('Account phone number.'),
  sessionId: text('The secret of the session, as the caller sent it.'),
  isConnected: Type.Boolean({ description: 'True when logged in and connected.' }),
  qrcode: text(
    'QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state.',
  ),
  isPasswordRequired: Type.Boolean({
    description: 'True when the QR was scanned and the two-step password is awaited.',
  }),
  passwordHint: text('Password hint set on Telegram. May be empty.'),
  picture: text('Small profile photo as a data URI. May be empty.'),
  webhook,
  metadata: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'As given by the caller.' })),
};
const { sessionId: _secret, ...pastFields } = sessionFields;

const deadlines = Type.Array(Type.Object({ type: Type.String(), due: time('When it fires.') }));
const state = Type.Enum([...sessionStates]);
const content = {
  type: Type.Enum(['text', 'image', 'video', 'sticker', 'document', 'poll']),
  text: text('Message text, or the caption of media.'),
  image: Type.Optional(
    Type.Object({
      url: mediaLink('the largest size, up to 2560 pixels.'),
      thumbnail: mediaLink('about 800 pixels.'),
      mimetype: Type.String(),
    }),
  ),
  video: Type.Optional(
    Type.Object({
      url: mediaLink('the video.'),
      thumbnail: mediaLink('320 pixels; empty when none is kept.'),
      duration: Type.Number({ description: 'Seconds.' }),
      mimetype: Type.String(),
    }),
  ),
  sticker: Type.Optional(Type.Object({ url: mediaLink('the sticker.'), mimetype: Type.String() })),
  document: Type.Optional(
    Type.Object({
      url: mediaLink('the file.'),
      name: Type.String(),
      size: Type.Number({ description: 'Bytes.' }),
      mimetype: Type.String(),
    }),
  ),
  polling: Type.Optional(Type.Object({ name: text('The question.'), options: Type.Array(Type.String()) })),
};

export const components = {
  Error: Type.Object(
    { statusCode: Type.Integer(), message: text('Several validation messages are joined by a line feed.') },
    { additionalProperties: false },
  ),
  Session: Type.Object(sessionFields, { additionalProperties: false }),
  CreatedSession: Type.Object(
    { ...sessionFields, created: time('When it was created.'), expires: maybeTime('When its state ends by itself.') },
    { additionalProperties: false },
  ),
  SessionSummary: Type.Object(
    {
      id: Type.String(),
      state,
      since: time('Since when it is in that state.'),
      reason: text('Why: `logged-in`, `qr-timeout`, `SESSION_REVOKED`, …'),
      deadline: maybeTime('When the state ends by itself.'),
      created: time('When it was created.'),
      hasWebhook: Type.Boolean(),
      held: Type.Boolean({
        description:
          'An event of the session cannot be read: requests of its owner are answered `session not found` (500), and no deadline ends it. A start that can read it takes it up again.',
      }),
    },
    { additionalProperties: false },
  ),
  AuditEntry: Type.Object(
    {
      seq: Type.Integer({ description: "Place in the session's log, from 1." }),
      type: text('The fact: `LoggedIn`, `ConnectionLost`, …'),
      created: time('When it was recorded.'),
      state,
      reason: text('Why the session was in that state.'),
      data: Type.Object({
        from: Type.Union([state, Type.Null()]),
        since: time('Since when the session was in that state.'),
        deadlines,
      }),
    },
    { additionalProperties: false },
  ),
  PastSession: Type.Object(
    {
      seq: Type.Integer(),
      created: time('When the last event before that moment was recorded.'),
      state,
      since: time('Since when it was in that state.'),
      reason: Type.String(),
      deadlines,
      session: Type.Object(pastFields, { description: 'The Session object as it was; never a QR or a token.' }),
    },
    { additionalProperties: false },
  ),
  Group: Type.Object(
    {
      id: text('-123… for basic groups, -100… for supergroups.'),
      name: Type.String(),
      username: text('Public username without @. Empty for private groups and basic groups.'),
      description: text('Cached for 5 minutes.'),
      picture: text('Small group photo as a data URI. May be empty.'),
      created: time('When the account joined.'),
    },
    { additionalProperties: false },
  ),
  GroupMember: Type.Object(
    {
      id: text('User ID. Usable as `user` in Send Message and Send Typing.'),
      name: text('If empty, filled with username, phone or ID.'),
      username: Type.String(),
      phone: text('Empty unless the member shared it with the account.'),
    },
    { additionalProperties: false },
  ),
  Channel: Type.Object(
    {
      id: text('-100…'),
      name: Type.String(),
      username: text('Public username without @. Empty for private channels.'),
      picture: text('Small photo as a data URI. May be empty.'),
      isOwner: Type.Boolean({ description: 'True when the account created or administers the channel.' }),
      created: time('When the account joined.'),
    },
    { additionalProperties: false },
  ),
  ChannelMessage: Type.Object(
    {
      id: text('Message ID.'),
      serverId: Type.Integer({ description: 'Message ID as a number. Higher is newer.' }),
      url: text('Link to the message; of private channels for members only.'),
      ...content,
      created: time('When it was sent.'),
    },
    { additionalProperties: false },
  ),
};

export const responses = {
  id: Type.Object({ id: text('Session ID.') }, { additionalProperties: false }),
  webhook: Type.Object({ id: text('Session ID.'), webhook }, { additionalProperties: false }),
  webhookStatus: Type.Object(
    {
      id: text('Session ID.'),
      webhook,
      pending: Type.Integer({ description: 'Events that have not been delivered yet.' }),
      lastDelivered: maybeTime('When one was delivered last.'),
      lastError: text('Why the last one that failed did so. Empty if none has.'),
      parked: Type.Integer({ description: 'Events that were given up after 24 hours.' }),
    },
    { additionalProperties: false },
  ),
  parked: Type.Object({
    docs: Type.Array(
      Type.Object(
        {
          seq: Type.Integer(),
          id: text('ID of the event.'),
          type: Type.String(),
          created: time('When it was recorded.'),
          error: text('Why it was given up.'),
        },
        { additionalProperties: false },
      ),
    ),
    after: Type.Integer({ description: 'The `after` of the next page.' }),
  }),
  replayed: Type.Object(
    { id: text('Session ID.'), pending: Type.Integer({ description: 'Events that are to be delivered.' }) },
    { additionalProperties: false },
  ),
  webhookTest: Type.Object(
    {
      id: text('ID of the test event.'),
      delivered: Type.Boolean(),
      status: Type.Integer({ description: 'What the receiver answered; 0 where it did not.' }),
      error: text('Empty where it was delivered.'),
    },
    { additionalProperties: false },
  ),
  message: Type.Object({ messageId: text('ID in the receiving chat.') }, { additionalProperties: false }),
  status: Type.Object({
    statusId: Type.String(),
    created: time('When it was posted.'),
    expires: time('Until when it is shown.'),
  }),
  groups: list(named('Group')),
  members: list(named('GroupMember')),
  channels: list(named('Channel')),
  messages: Type.Object({
    docs: Type.Array(named('ChannelMessage')),
    before: Type.Integer({ description: 'The `before` of the next page; 0 when there is none.' }),
  }),
  audit: Type.Object({
    docs: Type.Array(named('AuditEntry')),
    after: Type.Integer({ description: 'The `after` of the next page.' }),
  }),
  sessions: Type.Object({
    docs: Type.Array(named('SessionSummary')),
    after: text('The `after` of the next page; empty when there is none.'),
  }),
  health: Type.Object({ status: Type.String() }),
  consoleConfig: Type.Object({
    sandboxUrl: text('Control API of the sandbox that stands in for Telegram.'),
    needsApiKey: Type.Boolean({ description: 'Whether the gateway has an API key.' }),
  }),
};
