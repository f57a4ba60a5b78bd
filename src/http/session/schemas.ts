import { type Static, Type } from 'typebox';
import { codeChannels, stringFormats } from '../../../actors/ports/telegram-session.ts';
import type { Pace } from '../../../actors/session/session-settings.ts';
import { filledText, maxTextLength, shortText } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';
import { ProxyBody, SessionProxy } from './session-proxy.ts';
import { SessionWebhook, WebhookBody } from './session-webhook.ts';

/** It is part of every answer that shows the session. */
const maxMetadataBytes = 16 * 1024;

/** `POST /session/reset` (SE2): every field is optional. */
export const SettingsBody = Type.Object({
  name: Type.Optional(shortText),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), { maxProperties: 16, ...keywords({ maxBytes: maxMetadataBytes }) }),
  ),
  webhook: Type.Optional(WebhookBody),
});
export type SettingsBody = Static<typeof SettingsBody>;

const phone = Type.String({
  maxLength: maxTextLength,
  ...keywords({ pattern: String.raw`^(\D*\d){8}`, is: 'a phone number' }),
});
const botToken = Type.String({
  maxLength: maxTextLength,
  ...keywords({ pattern: String.raw`^\d+:[\w-]+$`, is: 'a bot token' }),
});

/** A GramJS string with a long host name is the longest. */
const maxStringLength = 1024;
const sessionString = Type.String({ maxLength: maxStringLength });

/** A login without a QR code, of which exactly one way is given (LG1, LG2). */
const LoginBody = Type.Object(
  { phone: Type.Optional(phone), botToken: Type.Optional(botToken), string: Type.Optional(sessionString) },
  keywords({ exactlyOne: ['phone', 'botToken', 'string'] }),
);

/** The caller's own names for a session (OS1). An empty one is none. */
const names = {
  externalId: Type.Optional(Type.String({ maxLength: 128 })),
  label: Type.Optional(Type.String({ maxLength: 64 })),
};

/** `POST /session` (SE1, LG1, LG2, LG3, OS1): every field is optional. */
export const CreationBody = Type.Object({
  ...SettingsBody.properties,
  ...names,
  proxy: Type.Optional(ProxyBody),
  login: Type.Optional(LoginBody),
});
export type CreationBody = Static<typeof CreationBody>;

/** One account's messages in a minute; more than Telegram lets any account send. */
const maxPerMinute = 1_000;
const maxNewChatsPerDay = 10_000;

const Pace = Type.Object(
  {
    perMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPerMinute })),
    newChatsPerDay: Type.Optional(Type.Integer({ minimum: 1, maximum: maxNewChatsPerDay })),
  },
  keywords({ nullCounts: true, description: 'What is left out has no limit; null: none has.' }),
);

/** `PATCH /session` and `PATCH /sessions/{id}` (OS1, OS7): what is left out stays. */
export const ChangesBody = Type.Object({ ...names, pace: Type.Optional(Type.Unsafe<Pace | null>(Pace)) });
export type ChangesBody = Static<typeof ChangesBody>;

/** `POST /session/login` (LG1). */
export const PhoneBody = Type.Object({ phone });

/** `POST /session/code` (LG1). */
export const CodeBody = Type.Object({ code: filledText });

/** `POST /session/password`. */
export const PasswordBody = Type.Object({ password: Type.String() });

const stringFormat = Type.Enum([...stringFormats]);

/** `POST /session/string`. */
export const StringBody = Type.Object({ format: stringFormat });

export const SessionStringResponse = Type.Object(
  {
    id: text('Session ID.'),
    format: stringFormat,
    string: text('The session string. It is a secret: it gives access to the whole account.'),
  },
  { additionalProperties: false },
);

/** In the order of the interface. */
const fields = {
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
  isCodeRequired: Type.Boolean({ description: 'True when a login code was sent and is awaited.' }),
  codeSentTo: Type.Enum(['', ...codeChannels], {
    description:
      'How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment.',
  }),
  picture: text('Small profile photo as a data URI. May be empty.'),
  webhook: SessionWebhook,
  metadata: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'As given by the caller.' })),
  externalId: Type.Optional(text('The caller’s own ID of the session. Left out if it has none.')),
  label: Type.Optional(text('The caller’s own name for the session. Left out if it has none.')),
  proxy: Type.Optional(SessionProxy),
};
const { sessionId: _secret, ...ownFields } = fields;

/** The Session object of the interface, and extensions: `metadata` (SE1), `externalId` and `label` (OS1). */
export const Session = Type.Object(fields, { additionalProperties: false });
export type Session = Static<typeof Session>;

/** The Session object without the secret: as it is now, or as it was at a moment (AD2). */
export const SessionWithoutSecret = Type.Object(ownFields, {
  description: 'The Session object of a moment, without QR and token.',
});
export type SessionWithoutSecret = Static<typeof SessionWithoutSecret>;

/** The response of `POST /session` and `POST /session/reset` (SE1). */
export const CreatedSession = Type.Object(
  { ...fields, created: time('When the session was created.'), expires: maybeTime('When its state ends by itself.') },
  { additionalProperties: false },
);
export type CreatedSession = Static<typeof CreatedSession>;

export const ChangedSession = Type.Object(
  {
    id: text('Session ID.'),
    externalId: text('The caller’s own ID of the session. Empty if it has none.'),
    label: text('The caller’s own name for the session. Empty if it has none.'),
    pace: Type.Union([Pace, Type.Null()], { description: 'Null if the account has none.' }),
  },
  { additionalProperties: false },
);
export type ChangedSession = Static<typeof ChangedSession>;

/** `GET /session/pace` (OS7). */
export const PaceResponse = Type.Object(
  {
    id: text('Session ID.'),
    pace: Type.Union([Pace, Type.Null()], { description: 'Null if the account has none.' }),
    waiting: Type.Integer({ description: 'Sends that wait for their turn.' }),
    nextTurn: maybeTime('When one more message would have its turn; empty without a pace.'),
    lastMinute: Type.Integer({ description: 'Messages of the last minute.' }),
    newChats: Type.Integer({ description: 'Chats of the last 24 hours that had no messages before.' }),
  },
  { additionalProperties: false },
);
export type PaceResponse = Static<typeof PaceResponse>;

export const SessionIdResponse = Type.Object({ id: text('Session ID.') }, { additionalProperties: false });

export const CodeSentResponse = Type.Object(
  { id: text('Session ID.'), isConnected: fields.isConnected, codeSentTo: fields.codeSentTo },
  { additionalProperties: false },
);
export const CodeResponse = Type.Object(
  { id: text('Session ID.'), isConnected: fields.isConnected, isPasswordRequired: fields.isPasswordRequired },
  { additionalProperties: false },
);
