import { GatewayError } from '../errors/gateway-error.ts';
import { resolveChatId } from '../recipients/resolve-recipient.ts';
import type { Peer } from '../telegram/port/peer.ts';
import type {
  MessagePage,
  MessagesOptions,
  SearchPlace,
  SeenButton,
  SeenMessage,
  SeenReaction,
} from '../telegram/port/reading.ts';
import { type ChatService, inTime } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';
import { type MessageObject, messageObject } from './message-object.ts';
import { readPlace, writePlace } from './page-place.ts';
import { signingPhotosOnce } from './photo-links.ts';

/** A message as a reader of its chat sees it (CT2). */
export type ReadMessage = MessageObject & {
  /** ID of the forum's topic; empty outside of forums. */
  topic: string;
  reactions: readonly SeenReaction[];
  /** Rows of inline buttons. */
  buttons: readonly (readonly SeenButton[])[];
  /** When it was edited; empty if it was not. */
  edited: string;
};

export interface ReadMessages {
  docs: ReadMessage[];
  /** Empty at the end. */
  before: string;
}

/** What is asked for: messages of a chat older than an ID (0: the newest). */
export interface MessagesRequest {
  chatId: string;
  before: number;
  limit: number;
  /** Of a forum; undefined: all of them. Ignored without a group. */
  topic?: number | undefined;
}

/**
 * Only a group has topics (CT1.5). Under the ID of a channel's post Telegram has its comments, which are messages of another
 * chat (https://core.telegram.org/api/threads).
 */
const within = ({ kind }: Peer, { before, limit, topic }: MessagesRequest): MessagesOptions => ({
  before,
  limit,
  topic: kind === 'group' ? topic : undefined,
});

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function listMessages(service: ChatService, request: MessagesRequest, linkTo: LinkTo): Promise<ReadMessages> {
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, request.chatId, signal);
    return pageOf(await account.reading.messages(peer, within(peer, request), signal), linkTo);
  });
}

/** The messages that have the words. @throws as {@link listMessages} */
export function searchMessages(
  service: ChatService,
  { words, ...request }: MessagesRequest & { words: string },
  linkTo: LinkTo,
): Promise<ReadMessages> {
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, request.chatId, signal);
    return pageOf(await account.reading.search(peer, words, within(peer, request), signal), linkTo);
  });
}

/**
 * The messages of all chats that have the words.
 * @param before of the page before; empty for the newest
 * @throws as {@link listMessages}
 */
export function searchAllMessages(
  service: ChatService,
  { words, before, limit }: { words: string; before: string; limit: number },
  linkTo: LinkTo,
): Promise<ReadMessages> {
  const after = before === '' ? undefined : readSearchPlace(before);
  return inTime(service, async (signal) => {
    const { messages, next } = await service.account.reading.searchAll(words, { after, limit }, signal);
    return {
      docs: messageObjects(messages, linkTo),
      before: next === undefined ? '' : writePlace([next.rate, next.messageId], next.chatId),
    };
  });
}

/** @throws {GatewayError} 400 */
function readSearchPlace(before: string): SearchPlace {
  const { numbers, chatId } = readPlace('before', before, 2);
  const [rate = 0, messageId = 0] = numbers;
  return { rate, messageId, chatId };
}

/** @throws as {@link listMessages} */
export function getMessage(
  service: ChatService,
  { chatId, messageId }: { chatId: string; messageId: number },
  linkTo: LinkTo,
): Promise<ReadMessage> {
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, chatId, signal);
    const found = await account.reading.message(peer, messageId, signal);
    if (found === undefined) throw new GatewayError(400, 'message not found');
    return seenMessageObject(found, linkTo);
  });
}

const pageOf = ({ messages, before }: MessagePage, linkTo: LinkTo): ReadMessages => ({
  docs: messageObjects(messages, linkTo),
  before: before === 0 ? '' : String(before),
});

function messageObjects(messages: readonly SeenMessage[], linkTo: LinkTo): ReadMessage[] {
  const link = signingPhotosOnce(linkTo);
  return messages.map((message) => seenMessageObject(message, link));
}

export function seenMessageObject(
  { message, author, topic, reactions, buttons }: SeenMessage,
  linkTo: LinkTo,
): ReadMessage {
  // To spread an object of so many fields takes longer than all else that is done here.
  return Object.assign(messageObject(author, message, linkTo), {
    topic: topic === undefined ? '' : String(topic),
    reactions,
    buttons,
    edited: message.edited === undefined ? '' : new Date(message.edited).toISOString(),
  });
}
