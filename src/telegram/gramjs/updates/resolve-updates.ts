import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { AccountUpdate, ChatUser, Story, UpdateChat } from '../../port/updates.ts';
import { chatMessage } from '../chats/chat-message.ts';
import { messageMedia } from '../chats/message-media.ts';
import { authorId, topicOf } from '../chats/seen-message.ts';
import type { ChatNames, NamedChat } from '../peers/chat-names.ts';
import type { ChatUsers } from '../peers/chat-users.ts';
import { textEntities } from '../peers/text-entities.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import type { ChatUpdate } from './chat-update.ts';

/** After this, stop waiting for the send's answer; getDifference will report it if it succeeded. */
const sendMs = 35_000;
/** A reaction of so long before a push is not what the push is about. */
const freshMs = 10_000;

/** `missed`: it was fetched, not pushed. */
export type ArrivedUpdate = ChatUpdate & { missed: boolean };

type ArrivedMessage = Extract<ArrivedUpdate, { message: unknown }>['message'];

export interface ResolveUpdatesDeps {
  clock: Clock;
  sent: SentMessages;
  users: ChatUsers;
  chats: ChatNames;
  /** The account's own user ID. */
  ownId: () => string | undefined;
  /** Converts a time of Telegram's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime: (seconds: number) => number;
  signal: LightAbortSignal;
}

/** People and chats of updates, with their names. */
interface Names {
  users: ReadonlyMap<string, ChatUser>;
  chats: ReadonlyMap<string, NamedChat>;
}

/**
 * Adds names to updates, and separates messages of this login from those that the owner wrote elsewhere.
 * @throws {NotConnectedError} the signal's reason
 */
export async function resolveUpdates(
  deps: ResolveUpdatesDeps,
  updates: readonly ArrivedUpdate[],
): Promise<AccountUpdate[]> {
  const names = await findNames(deps, updates);
  const understood: AccountUpdate[] = [];
  for (const update of updates) {
    const found = await understand(deps, update, names);
    if (found !== undefined) understood.push(found);
  }
  return understood;
}

async function findNames(deps: ResolveUpdatesDeps, updates: readonly ArrivedUpdate[]): Promise<Names> {
  const ids = new Set(updates.flatMap((update) => idsIn(deps, update)));
  const sides = new Set(updates.flatMap((update) => ('chatId' in update ? [update.chatId ?? ''] : [])));
  const users = new Map<string, ChatUser>();
  const unknown = new Set<string>();
  for (const id of ids) {
    if (id.startsWith('-')) continue;
    // Who writes in a group need not be known as whole as the other side of a private chat.
    const seen = sides.has(id) ? undefined : deps.users.seen(id);
    if (seen === undefined) unknown.add(id);
    else users.set(id, seen);
  }
  if (unknown.size > 0) for (const [id, user] of await deps.users.find(unknown, deps.signal)) users.set(id, user);
  const chats = new Map<string, NamedChat>();
  for (const id of ids) if (id.startsWith('-')) chats.set(id, await deps.chats.find(id, deps.signal));
  return { users, chats };
}

/** The IDs of all people and chats that are named in an update. */
function idsIn({ ownId, toGatewayTime, clock }: ResolveUpdatesDeps, update: ArrivedUpdate): string[] {
  const { chatId, userId, byId, message } = update as {
    chatId?: string;
    userId?: string;
    byId?: string;
    message?: ArrivedMessage;
  };
  const author = message === undefined || chatId === undefined ? undefined : authorId(message, chatId, ownId() ?? '');
  const reacted = update.type === 'message.reaction' ? whoReacted(update, { toGatewayTime, clock })?.userId : undefined;
  return [chatId, userId, byId, author, reacted].filter((id) => id !== undefined);
}

async function understand(
  deps: ResolveUpdatesDeps,
  update: ArrivedUpdate,
  names: Names,
): Promise<AccountUpdate | undefined> {
  const { missed, date } = update;
  const at = date === undefined ? undefined : deps.toGatewayTime(date);
  const when = { account: deps.ownId(), missed, at };
  const person = (id: string): ChatUser => names.users.get(id) ?? names.chats.get(id) ?? nameless(id);
  const by = (id: string | undefined): { by?: ChatUser } => (id === undefined ? {} : { by: person(id) });
  switch (update.type) {
    case 'message':
    case 'message.edited':
      return understandMessage(deps, update, when, names);
    case 'message.sent': {
      const chat = placeOf(update.chatId, names);
      const user = person(update.chatId);
      return { ...when, type: update.type, ...(chat && { chat }), user, messageId: update.messageId };
    }
    case 'message.deleted': {
      const chat = 'chatId' in update ? placeOf(update.chatId, names) : undefined;
      return { ...when, type: update.type, ...(chat && { chat }), messageIds: update.messageIds };
    }
    case 'message.read': {
      const user = names.users.get(update.chatId);
      return user && { ...when, type: update.type, user, upTo: update.upTo, fromMe: update.fromMe };
    }
    case 'chat.read':
      return {
        ...when,
        type: update.type,
        chat: chatOf(update.chatId, names),
        upTo: update.upTo,
        fromMe: update.fromMe,
      };
    case 'message.reaction': {
      const { type, chatId, messageId, counts } = update;
      const { userId, emojis } = whoReacted(update, deps) ?? { userId: undefined, emojis: [] };
      const user = userId === undefined ? {} : { user: person(userId) };
      return { ...when, type, chat: chatOf(chatId, names), messageId, counts, ...user, emojis };
    }
    case 'message.pinned': {
      const { type, chatId, messageIds, pinned } = update;
      return { ...when, type, chat: chatOf(chatId, names), messageIds, pinned };
    }
    case 'message.vote': {
      const { type, pollId, results, userId, options } = update;
      const vote = userId === undefined || options === undefined ? {} : { user: person(userId), options };
      return { ...when, type, pollId, results, ...vote };
    }
    case 'message.button': {
      const { type, chatId, messageId, userId, data, queryId } = update;
      return { ...when, type, chat: chatOf(chatId, names), messageId, user: person(userId), data, queryId };
    }
    case 'chat.joined':
    case 'chat.left':
      return { ...when, type: update.type, chat: chatOf(update.chatId, names), ...by(update.byId) };
    case 'chat.member': {
      const { type, chatId, userId, action, byId } = update;
      return { ...when, type, chat: chatOf(chatId, names), user: person(userId), action, ...by(byId) };
    }
    case 'story': {
      const chat = placeOf(update.chatId, names);
      const user = names.users.get(update.chatId) ?? { ...nameless(update.chatId), name: chat?.name ?? '' };
      return { ...when, type: update.type, ...(chat && { chat }), user, ...storyOf(update.story, deps) };
    }
  }
}

async function understandMessage(
  deps: ResolveUpdatesDeps,
  update: Extract<ArrivedUpdate, { type: 'message' | 'message.edited' }>,
  when: { account: string | undefined; missed: boolean; at: number | undefined },
  names: Names,
): Promise<AccountUpdate | undefined> {
  const { type, message, chatId } = update;
  const author = authorId(message, chatId, deps.ownId() ?? '');
  const user = names.users.get(author) ?? names.chats.get(author);
  if (user === undefined) return undefined;
  const named = names.chats.get(chatId);
  const chat = placeOf(chatId, names);
  const sentAs = type === 'message' && message.out ? await senderOf(deps, chatId, message) : undefined;
  // Its send has reported it already.
  if (sentAs === 'known') return undefined;
  if (sentAs !== undefined) {
    return { ...when, type: 'message.sent', ...(chat && { chat }), user, messageId: message.id };
  }
  const topic = named?.isForum ? topicOf(message) : undefined;
  const { isForum: _forum, kind: _kind, ...writer } = { isForum: false, kind: '', ...user };
  const place = { ...(chat && { chat }), ...(topic !== undefined && { topic }) };
  return { ...when, type, ...place, user: writer, message: chatMessage(message) };
}

function storyOf(
  { id, expireDate, caption, entities, media }: Api.StoryItem,
  { toGatewayTime }: Pick<ResolveUpdatesDeps, 'toGatewayTime'>,
): Story {
  const shown = messageMedia(media);
  const marks = textEntities(entities ?? []);
  return {
    storyId: id,
    expires: toGatewayTime(expireDate),
    text: caption ?? '',
    ...(marks.length > 0 && { entities: marks }),
    ...(shown !== undefined && { media: shown }),
  };
}

/** A bot is told who changed their reactions; of a push, it is who reacted just now. */
function whoReacted(
  update: Extract<ArrivedUpdate, { type: 'message.reaction' }>,
  { toGatewayTime, clock }: Pick<ResolveUpdatesDeps, 'toGatewayTime' | 'clock'>,
): { userId: string; emojis: string[] } | undefined {
  const { userId, emojis, last, missed } = update;
  if (userId !== undefined) return { userId, emojis };
  const isFresh = !missed && last !== undefined && clock.now() - toGatewayTime(last.date) <= freshMs;
  return isFresh ? { userId: last.userId, emojis: last.emojis } : undefined;
}

const nameless = (id: string): ChatUser => ({ id, name: '', username: '', phone: '' });

/** Undefined of a private chat. */
function placeOf(chatId: string, { chats }: Names): UpdateChat | undefined {
  const chat = chats.get(chatId);
  return chat && { id: chatId, kind: chat.kind, name: chat.name };
}

const chatOf = (chatId: string, names: Names): UpdateChat =>
  placeOf(chatId, names) ?? { id: chatId, kind: 'user', name: names.users.get(chatId)?.name ?? '' };

/** As {@link ownershipOf}. What left the chat's queue, Telegram names to no login. */
async function senderOf(
  deps: ResolveUpdatesDeps,
  chatId: string,
  { id, fromScheduled }: ArrivedMessage,
): Promise<ReturnType<SentMessages['isOwn']>> {
  return fromScheduled ? (deps.sent.isOwn(chatId, id) ?? 'named') : ownershipOf(deps, chatId, id);
}

/** Whether the gateway sent an outgoing message. It is certain once no send to the chat is in flight, in any process. */
async function ownershipOf(
  { sent, clock, signal }: ResolveUpdatesDeps,
  chatId: string,
  messageId: number,
): Promise<ReturnType<SentMessages['isOwn']>> {
  const underWay = sent.underWay(chatId);
  if (underWay !== undefined && sent.isOwn(chatId, messageId) === undefined) {
    const late = (): Error => new TimeoutError('still in flight');
    await withTimeout(clock, sendMs, late, () => underWay, signal).catch(() => undefined);
    signal.throwIfAborted();
  }
  const own = sent.isOwn(chatId, messageId);
  if (own !== undefined) return own;
  const isSentElsewhere = await sent.isSentElsewhere(chatId, messageId, signal);
  signal.throwIfAborted();
  return isSentElsewhere ? 'another' : undefined;
}
