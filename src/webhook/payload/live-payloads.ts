import { type Static, Type } from 'typebox';
import { userObject } from '../../chats/message-object.ts';
import type { MediaRef } from '../../telegram/port/files.ts';
import type { LiveUpdate } from '../../telegram/port/updates.ts';
import type { PayloadSession } from './payload-of.ts';
import { chatId, closed, envelopeFields, user } from './payloads.ts';

/** The envelopes of what is not recorded, for readers that are connected (EV1): without a number. */

const { seq: _seq, previous: _previous, ...common } = envelopeFields;

const TypingData = Type.Object(
  {
    chatId,
    user,
    action: Type.String({
      description: 'What they do, as Telegram names it: `typing`, `recordAudio`; `cancel`: no longer.',
    }),
  },
  closed,
);
const StatusData = Type.Object(
  {
    user,
    online: Type.Boolean(),
    lastSeen: Type.String({ description: 'When they were online last, ISO 8601; empty if Telegram does not say.' }),
  },
  closed,
);

/** By `type`. */
export const livePayloads = {
  'chat.typing': Type.Object(
    { ...common, type: Type.Literal('chat.typing'), data: TypingData },
    { ...closed, title: 'chat.typing', description: 'Someone writes in a chat, or does something else there.' },
  ),
  'user.status': Type.Object(
    { ...common, type: Type.Literal('user.status'), data: StatusData },
    { ...closed, title: 'user.status', description: 'A person is online, or no longer.' },
  ),
};
export type LivePayload = Static<(typeof livePayloads)[keyof typeof livePayloads]>;

/**
 * @param id of the event
 * @param at when it arrived, milliseconds since 1970
 */
export function livePayload(
  session: PayloadSession,
  id: string,
  at: number,
  update: LiveUpdate,
  link: (ref: MediaRef, ext: string) => string,
): LivePayload {
  const envelope = { id, created: iso(at), session };
  const person = userObject(update.user, link);
  if (update.type === 'chat.typing') {
    return { ...envelope, type: update.type, data: { chatId: update.chat.id, user: person, action: update.action } };
  }
  const { type, online, lastSeen } = update;
  return { ...envelope, type, data: { user: person, online, lastSeen: lastSeen === undefined ? '' : iso(lastSeen) } };
}

const iso = (time: number): string => new Date(time).toISOString();
