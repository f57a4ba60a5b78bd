import { type Static, Type } from 'typebox';
import type { Keywords } from './validation.ts';

/** TypeBox takes any keyword; this holds ours to the ones that the validation knows. */
const keywords = <T extends Keywords & Record<string, unknown>>(options: T): T => options;

const positive = Type.Number(keywords({ positive: true }));

const webhookFields = {
  url: Type.Optional(Type.String(keywords({ httpUrl: true }))),
  token: Type.Optional(Type.String(keywords({ pattern: String.raw`^[\x20-\x7e]*$`, is: 'printable ASCII' }))),
};
const bothOrNeither = keywords({ bothOrNeither: 'to turn the webhook off' });

/** `PUT /session/webhook` (WH1). */
export const WebhookBody = Type.Object(webhookFields, bothOrNeither);
export type WebhookBody = Static<typeof WebhookBody>;

/** `POST /session/webhook/replay`: the `seq` to begin with. */
export const ReplayBody = Type.Object({ from: positive });

/** `GET /session/webhook/parked`. */
export const ParkedQuery = Type.Object({
  after: Type.Optional(Type.String(keywords({ pattern: String.raw`^\d{1,9}$`, is: 'a number' }))),
  limit: Type.Optional(
    Type.String(keywords({ pattern: '^[1-9][0-9]{0,3}$', is: 'between 1 and 1000', greatest: 1000 })),
  ),
});

/** `POST /session` and `POST /session/reset` (SE1, SE2): everything may be left out. */
export const SettingsBody = Type.Object({
  name: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String(), { maxProperties: 16 })),
  webhook: Type.Optional(WebhookBody),
});
export type SettingsBody = Static<typeof SettingsBody>;

/** `POST /session/password`. */
export const PasswordBody = Type.Object({ password: Type.String() });

/** Telegram's are 32-bit numbers with a sign. */
const greatestMessageId = 2 ** 31 - 1;

const url = Type.String(keywords({ httpUrl: true }));

const receivers = {
  group: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
};

const parseMode = Type.Optional(Type.Enum(['markdown', 'html']));

const image = Type.Optional(
  Type.Object(
    { url, mimetype: Type.String(), thumbnail: Type.Optional(Type.String()) },
    keywords({ neededFor: ['image'] }),
  ),
);

const video = Type.Optional(
  Type.Object(
    { url, mimetype: Type.String(), duration: positive, thumbnail: Type.Optional(url) },
    keywords({ neededFor: ['video'] }),
  ),
);

const audio = Type.Optional(
  Type.Object({ url, mimetype: Type.String(), duration: positive }, keywords({ neededFor: ['audio'] })),
);

const document = Type.Optional(
  Type.Object(
    { url, name: Type.String(), size: positive, mimetype: Type.String() },
    keywords({ neededFor: ['document'] }),
  ),
);

const degrees = (limit: number) => Type.Number({ minimum: -limit, maximum: limit, ...keywords({ zeroIsEmpty: true }) });

const location = Type.Optional(
  Type.Object(
    {
      latitude: degrees(90),
      longitude: degrees(180),
      name: Type.Optional(Type.String()),
      address: Type.Optional(Type.String()),
    },
    keywords({ neededFor: ['location'] }),
  ),
);

const contact = Type.Optional(
  Type.Object({ name: Type.String(), phone: Type.String() }, keywords({ neededFor: ['contact'] })),
);

/** `POST /message`; what stands behind `contact` is ours (MS8). */
export const MessageBody = Type.Object({
  ...receivers,
  type: Type.Enum(['text', 'image', 'video', 'audio', 'document', 'location', 'contact']),
  text: Type.Optional(Type.String(keywords({ neededFor: ['text'] }))),
  parseMode,
  image,
  video,
  audio,
  document,
  location,
  contact,
  replyTo: Type.Optional(
    Type.String(keywords({ pattern: '^[1-9][0-9]{0,9}$', is: 'a message ID', greatest: greatestMessageId })),
  ),
  silent: Type.Optional(Type.Boolean()),
});
export type MessageBody = Static<typeof MessageBody>;

/** `POST /typing` (TY2: no channel). Any type but `audio` says typing. */
export const TypingBody = Type.Object({
  group: receivers.group,
  user: receivers.user,
  username: receivers.username,
  phone: receivers.phone,
  type: Type.Optional(Type.String()),
});

/** `POST /status` (ST1). */
export const StatusBody = Type.Object({
  type: Type.Enum(['image', 'video']),
  text: Type.Optional(Type.String()),
  parseMode,
  image,
  video,
  privacy: Type.Optional(Type.Enum(['contacts', 'everyone', 'close_friends'])),
  /** Hours. */
  period: Type.Optional(Type.Enum([6, 12, 24, 48])),
});
export type StatusBody = Static<typeof StatusBody>;

/** Of what is sent at most once (MS7). */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ maxLength: 128 })),
});
