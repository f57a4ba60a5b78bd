import { type Static, type TObject, Type } from 'typebox';
import { sessionStates } from '../../../actors/session/events.ts';
import { contentFields, storyFields, userFields } from '../../chats/message-schema.ts';
import type { MemberAction } from '../../telegram/port/updates.ts';
import type { deliveredTypes } from '../stream/delivery-events.ts';

/** The payloads of webhooks (WH2, WH3), published under `docs/webhooks/`. */

export const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ description: `${description} ISO 8601.` });

export const user = Type.Object(
  { id: text('User ID. Usable as `user` in Send Message.'), ...userFields },
  { ...closed, description: 'The other side of a private chat, whichever side wrote; in other chats who wrote.' },
);
export const chatId = text('ID of the chat, as `user`, `group` or `channel` takes it.');
const toldUser = (description: string) =>
  Type.Object(
    { id: Type.String(), ...userFields },
    { ...closed, description: `${description} All empty if Telegram does not say.` },
  );
const messageId = text('Message ID.');

const messageFields = {
  id: text('Message ID.'),
  chatId,
  fromMe: Type.Boolean({ description: "True when the account's owner wrote it, on another device." }),
  user,
  ...contentFields,
  replyTo: text('ID of the message that it replies to; empty if none.'),
  topic: Type.Optional(text('Of a forum: ID of the topic, that of its first message. 1 is General.')),
  created: time('When the message was sent.'),
};

const MessageData = Type.Object(messageFields, closed);
const EditedData = Type.Object({ ...messageFields, edited: time('When it was edited.') }, closed);
const messageIds = Type.Array(Type.String());
const DeletedData = Type.Object({ chatId, messageIds, user: toldUser('The other side of a private chat.') }, closed);
const ReadData = Type.Object(
  {
    chatId,
    upTo: text('Every message up to this ID has been read.'),
    fromMe: Type.Boolean({
      description: "True when the account's owner read, on another device; else the other side.",
    }),
    user,
  },
  closed,
);

const ReactionData = Type.Object(
  {
    chatId,
    messageId,
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Reactions as they are now, by emoji; custom ones under an empty text. A bot is told them or `user`.',
    }),
    user: toldUser('Who has changed their reactions.'),
    emojis: Type.Array(Type.String(), { description: 'Their reactions as they are now.' }),
  },
  closed,
);
const PinnedData = Type.Object(
  { chatId, messageIds, pinned: Type.Boolean({ description: 'False when they were unpinned.' }) },
  closed,
);
const option = "Telegram's bytes for the option, base64.";
const VoteData = Type.Object(
  {
    pollId: text('ID of the poll.'),
    results: Type.Array(
      Type.Object(
        { text: text('The option; empty if Telegram does not say.'), option: text(option), voters: Type.Integer() },
        closed,
      ),
      { description: 'Votes as they are now. Empty for a bot that is told a vote.' },
    ),
    user: toldUser('Who has voted, for a bot.'),
    options: Type.Array(Type.String(), { description: `What they have chosen, for a bot. ${option}` }),
  },
  closed,
);
const ButtonData = Type.Object(
  {
    chatId,
    messageId,
    user: toldUser('Who pressed it.'),
    data: text('Of the button, base64.'),
    queryId: text('What the answer to it names.'),
  },
  closed,
);
const MembershipData = Type.Object(
  {
    chatId,
    kind: Type.Enum(['user', 'bot', 'group', 'channel'] as const),
    name: text('Of the group or channel.'),
    by: toldUser('Who did it.'),
  },
  closed,
);
const memberActions = [
  'joined',
  'added',
  'left',
  'removed',
  'promoted',
  'demoted',
  'restricted',
  'unrestricted',
] as const satisfies MemberAction[];
const MemberData = Type.Object(
  { chatId, user: toldUser('The member.'), action: Type.Enum(memberActions), by: toldUser('Who did it.') },
  closed,
);
const ChatReadData = Type.Object(
  {
    chatId,
    upTo: ReadData.properties.upTo,
    fromMe: Type.Boolean({
      description: "True when the account's owner read, on another device; else someone read the account's messages.",
    }),
  },
  closed,
);

const StoryData = Type.Object(
  {
    user: Type.Object(
      { id: text('ID of the person or channel.'), ...userFields },
      { ...closed, description: 'Whose story it is.' },
    ),
    storyId: text('ID of the story.'),
    ...storyFields,
    expires: time('When it ends, unless its owner keeps it.'),
  },
  closed,
);

const SessionData = Type.Object(
  {
    state: Type.Enum(sessionStates, { description: 'Of the session, as in `GET /session/events`.' }),
    reason: text('Why it is in this state.'),
    deadline: Type.String({ description: 'When the state ends by itself, ISO 8601; empty if it does not.' }),
  },
  closed,
);
const DeletedSessionData = Type.Object({ reason: SessionData.properties.reason }, closed);
export type SessionData = Static<typeof SessionData>;

export const envelopeFields = {
  id: text('Of the event: the same whenever it is sent again, and in the header `webhook-id`.'),
  seq: Type.Integer({ description: "Number of the session's event, from 1 and without a gap; 0 of a test." }),
  previous: Type.Integer({
    description: 'The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing.',
  }),
  created: time('When it was recorded.'),
  session: Type.Object(
    {
      id: text('Main ID of the session.'),
      generatedId: text('User ID of the account in which it happened.'),
      externalId: Type.Optional(text("The caller's own ID of the session. Left out if it has none.")),
    },
    closed,
  ),
};

const envelope = <Type_ extends string, Data extends TObject>(type: Type_, data: Data, description: string) => {
  const { id, seq, previous, created, session } = envelopeFields;
  return Type.Object(
    { id, seq, previous, type: Type.Literal(type), created, session, data },
    { ...closed, title: type, description },
  );
};

/** By `type`. */
export const payloads = {
  message: envelope('message', MessageData, 'A new message.'),
  'message.edited': envelope('message.edited', EditedData, 'A message was edited: as it is now.'),
  'message.deleted': envelope('message.deleted', DeletedData, 'Messages were deleted.'),
  'message.read': envelope('message.read', ReadData, 'Messages of a private chat were read.'),
  'message.reaction': envelope('message.reaction', ReactionData, 'The reactions to a message have changed.'),
  'message.pinned': envelope('message.pinned', PinnedData, 'Messages were pinned or unpinned.'),
  'message.vote': envelope('message.vote', VoteData, 'The votes of a poll have changed.'),
  'message.button': envelope('message.button', ButtonData, 'A button of a message of the bot was pressed.'),
  'chat.joined': envelope('chat.joined', MembershipData, 'The account has entered a group or channel.'),
  'chat.left': envelope('chat.left', MembershipData, 'The account has left a group or channel, or was removed.'),
  'chat.member': envelope('chat.member', MemberData, 'A member of a group or channel has changed.'),
  'chat.read': envelope('chat.read', ChatReadData, 'Messages of a group or channel were read.'),
  story: envelope('story', StoryData, 'A person or a channel has posted a story.'),
  'session.qr': envelope('session.qr', SessionData, 'There is another QR code to log in with: `GET /session` has it.'),
  'session.password': envelope('session.password', SessionData, 'The login needs the password of the account.'),
  'session.code': envelope('session.code', SessionData, 'Telegram has sent a login code.'),
  'session.connected': envelope('session.connected', SessionData, 'The account is connected.'),
  'session.disconnected': envelope(
    'session.disconnected',
    SessionData,
    'The connection is lost, or its reason is another one.',
  ),
  'session.login-lost': envelope(
    'session.login-lost',
    SessionData,
    'The login is lost: the account has to log in again.',
  ),
  'session.reset': envelope('session.reset', SessionData, 'The session was reset: the account has to log in again.'),
  'session.deleted': envelope(
    'session.deleted',
    DeletedSessionData,
    'The session is deleted. Told to operators’ webhooks alone.',
  ),
  test: envelope('test', Type.Object({}, closed), 'What `POST /session/webhook/test` sends.'),
};
type PayloadType = keyof typeof payloads;
export type Payload = Static<(typeof payloads)[PayloadType]>;
export type PayloadData = Payload['data'];

// Every type that is delivered has its payload.
payloads satisfies Record<(typeof deliveredTypes)[keyof typeof deliveredTypes], TObject>;
