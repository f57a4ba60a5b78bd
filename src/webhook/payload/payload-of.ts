import type { LinkTo } from '../../chats/message-content.ts';
import { messageObject, userObject } from '../../chats/message-object.ts';
import type { MediaRef } from '../../telegram/port/files.ts';
import { type DeliveredContent, type DeliveryEvent, deliveredTypes } from '../stream/delivery-events.ts';
import type { Payload, PayloadData } from './payloads.ts';

export interface PayloadSession {
  id: string;
  /** The logged-in account, for an event that does not name its account. */
  generatedId: string;
  /** The caller's own ID of the session. */
  externalId?: string;
}

/** The session of an envelope. @param externalId undefined if it has none */
export const payloadSession = (id: string, generatedId: string, externalId?: string): PayloadSession => ({
  id,
  generatedId,
  ...(externalId !== undefined && { externalId }),
});

/**
 * The payload of a delivery event (WH2).
 * @param previous number of the event before it that its receiver wants; 0 if there is none
 */
export function payloadOf(
  session: PayloadSession,
  { id, metadata: { seq, at } }: Pick<DeliveryEvent, 'id' | 'metadata'>,
  delivered: DeliveredContent,
  previous: number,
  link: (account: string, ref: MediaRef, ext: string) => string,
): Payload {
  const { account: generatedId = session.generatedId } = delivered.content;
  return {
    id,
    seq,
    previous,
    type: deliveredTypes[delivered.type],
    created: iso(at),
    session: { ...session, generatedId },
    data: dataOf(delivered, (ref, ext) => link(generatedId, ref, ext)),
  } as Payload;
}

/** The payload of `POST /session/webhook/test`. */
export const testPayload = (session: PayloadSession, id: string, at: number): Payload => ({
  id,
  seq: 0,
  previous: 0,
  type: 'test',
  created: iso(at),
  session,
  data: {},
});

function dataOf({ type, content }: DeliveredContent, linkTo: LinkTo): PayloadData {
  const { user } = content;
  switch (type) {
    case 'MessageReceived':
      return messageObject(user, content.message, linkTo);
    case 'MessageEdited': {
      const message = messageObject(user, content.message, linkTo);
      return { ...message, edited: iso(content.message.edited ?? message.created) };
    }
    case 'MessagesRead':
      return { chatId: user.id, upTo: String(content.upTo), fromMe: content.fromMe, user: userObject(user, linkTo) };
    case 'MessagesDeleted':
      return { chatId: user.id, messageIds: content.messageIds.map(String), user: userObject(user, linkTo) };
  }
}

const iso = (time: number | string): string => new Date(time).toISOString();
