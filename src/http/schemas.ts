import { type Static, Type } from 'typebox';
import type { Keywords } from './validation.ts';

/** TypeBox takes any keyword; this holds ours to the ones that the validation knows. */
const keywords = <T extends Keywords & Record<string, unknown>>(options: T): T => options;

const webhookFields = {
  url: Type.Optional(Type.String(keywords({ httpUrl: true }))),
  token: Type.Optional(Type.String()),
};
const bothOrNeither = keywords({ bothOrNeither: 'to turn the webhook off' });

/** `PUT /session/webhook` (WH1). */
export const WebhookBody = Type.Object(webhookFields, bothOrNeither);
export type WebhookBody = Static<typeof WebhookBody>;

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

/** `POST /message`. */
export const MessageBody = Type.Object({
  group: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  type: Type.Enum(['text']),
  text: Type.Optional(Type.String(keywords({ neededFor: ['text'] }))),
  parseMode: Type.Optional(Type.Enum(['markdown', 'html'])),
  replyTo: Type.Optional(
    Type.String(keywords({ pattern: '^[1-9][0-9]{0,9}$', is: 'a message ID', greatest: greatestMessageId })),
  ),
  silent: Type.Optional(Type.Boolean()),
});
export type MessageBody = Static<typeof MessageBody>;
