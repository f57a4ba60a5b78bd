import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import type { LinkTo } from '../../chats/message-content.ts';
import { messageObject, userObject } from '../../chats/message-object.ts';
import type { MediaRef } from '../../telegram/port/files.ts';
import type { ChatUser } from '../../telegram/port/updates.ts';
import type { ToldEvent } from '../filter/session-event.ts';
import {
  chatIdOf,
  type DeliveredContent,
  type DeliveryEvent,
  deliveredTypes,
  type SessionCondition,
} from '../stream/delivery-events.ts';
import type { Payload, PayloadData, SessionData } from './payloads.ts';
import { storyObject } from './story-object.ts';

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
  const person = (user: ChatUser | undefined) => userObject(user ?? nobody, linkTo);
  switch (type) {
    case 'MessageReceived':
    case 'MessageEdited': {
      const { user, message, topic } = content;
      const data = {
        ...messageObject(user, message, linkTo),
        ...(topic !== undefined && { topic: String(topic) }),
      };
      return type === 'MessageReceived' ? data : { ...data, edited: iso(message.edited ?? message.created) };
    }
    case 'MessagesRead': {
      const { user, upTo, fromMe } = content;
      return { chatId: user.id, upTo: String(upTo), fromMe, user: person(user) };
    }
    case 'MessagesDeleted':
      return { chatId: chatIdOf(content), messageIds: content.messageIds.map(String), user: person(content.user) };
    case 'ReactionsChanged': {
      const { chat, messageId, counts, user, emojis } = content;
      return { chatId: chat.id, messageId: String(messageId), counts, user: person(user), emojis };
    }
    case 'MessagesPinned':
      return { chatId: content.chat.id, messageIds: content.messageIds.map(String), pinned: content.pinned };
    case 'PollVoted': {
      const { pollId, results, user, options = [] } = content;
      return { pollId, results, user: person(user), options };
    }
    case 'ButtonPressed': {
      const { chat, messageId, user, data, queryId } = content;
      return { chatId: chat.id, messageId: String(messageId), user: person(user), data, queryId };
    }
    case 'ChatJoined':
    case 'ChatLeft': {
      const { chat, by } = content;
      return { chatId: chat.id, kind: chat.kind, name: chat.name, by: person(by) };
    }
    case 'MemberChanged': {
      const { chat, user, action, by } = content;
      return { chatId: chat.id, user: person(user), action, by: person(by) };
    }
    case 'ChatRead':
      return { chatId: content.chat.id, upTo: String(content.upTo), fromMe: content.fromMe };
    case 'StoryPosted':
      return storyObject(content, linkTo);
    case 'QrIssued':
    case 'PasswordRequested':
    case 'CodeSent':
    case 'SessionConnected':
    case 'SessionDisconnected':
    case 'LoginLost':
    case 'SessionReset':
      return conditionObject(content);
  }
}

/**
 * The payload of an event of a session's log, for an operators' webhook (EV2).
 * @param previous number of the event before it of which that webhook is told; 0 if there is none
 */
export const sessionPayload = (
  session: PayloadSession,
  { id, revision, metadata: { at } }: RecordedSessionEvent,
  { type, condition }: ToldEvent,
  previous: number,
): Payload =>
  ({
    id,
    seq: revision + 1,
    previous,
    type,
    created: iso(at),
    session,
    data: type === 'session.deleted' ? { reason: condition.reason } : conditionObject(condition),
  }) as Payload;

/** How a session is, as its events say it. */
const conditionObject = ({ state, reason, deadline }: SessionCondition): SessionData => ({
  state,
  reason,
  deadline: deadline === undefined ? '' : iso(deadline),
});

/** Telegram does not say who it was. */
const nobody: ChatUser = { id: '', name: '', username: '', phone: '' };

const iso = (time: number | string): string => new Date(time).toISOString();
