import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { AccountUpdate, ChatUser } from '../../port/updates.ts';
import { chatMessage } from '../chats/chat-message.ts';
import type { ChatUsers } from '../peers/chat-users.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import type { PrivateChatUpdate } from './private-chat-update.ts';

/** After this, stop waiting for the send's answer; getDifference will report it if it succeeded. */
const sendMs = 35_000;

/** `missed`: it was fetched, not pushed. */
export type ArrivedUpdate = PrivateChatUpdate & { missed: boolean };

type ArrivedMessage = Extract<ArrivedUpdate, { message: unknown }>['message'];

export interface ResolveUpdatesDeps {
  clock: Clock;
  sent: SentMessages;
  users: ChatUsers;
  /** The account's own user ID. */
  ownId: () => string | undefined;
  /** Converts a time of Telegram's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime: (seconds: number) => number;
  signal: AbortSignal;
}

/**
 * Adds names to updates, and separates messages of this login from those that the owner wrote elsewhere.
 * @throws {NotConnectedError} the signal's reason
 */
export async function resolveUpdates(
  deps: ResolveUpdatesDeps,
  updates: readonly ArrivedUpdate[],
): Promise<AccountUpdate[]> {
  const chats = new Set(updates.flatMap((update) => ('chatId' in update ? [update.chatId] : [])));
  const users = chats.size > 0 ? await deps.users.find(chats, deps.signal) : new Map<string, ChatUser>();
  const understood: AccountUpdate[] = [];
  for (const update of updates) {
    const found = await understand(deps, update, users);
    if (found !== undefined) understood.push(found);
  }
  return understood;
}

async function understand(
  deps: ResolveUpdatesDeps,
  update: ArrivedUpdate,
  users: ReadonlyMap<string, ChatUser>,
): Promise<AccountUpdate | undefined> {
  const { missed, date } = update;
  const at = date === undefined ? undefined : deps.toGatewayTime(date);
  const when = { account: deps.ownId(), missed, at };
  if (update.type === 'message.deleted') return { ...when, type: update.type, messageIds: update.messageIds };
  const user = users.get(update.chatId);
  if (user === undefined) return undefined;
  if (update.type === 'message.sent') return { ...when, type: update.type, user, messageId: update.messageId };
  if (update.type === 'message.read') {
    return { ...when, type: update.type, user, upTo: update.upTo, fromMe: update.fromMe };
  }
  const { type, message, chatId } = update;
  const sentAs = type === 'message' && message.out ? await senderOf(deps, chatId, message) : undefined;
  // Its send has reported it already.
  if (sentAs === 'known') return undefined;
  if (sentAs !== undefined) return { ...when, type: 'message.sent', user, messageId: message.id };
  return { ...when, type, user, message: chatMessage(message) };
}

/** As {@link ownershipOf}. What left the chat's queue, Telegram names to no login. */
async function senderOf(
  deps: ResolveUpdatesDeps,
  chatId: string,
  { id, fromScheduled }: ArrivedMessage,
): Promise<ReturnType<SentMessages['isOwn']>> {
  return fromScheduled ? (deps.sent.isOwn(chatId, id) ?? 'named') : ownershipOf(deps, chatId, id);
}

/** Whether the gateway sent an outgoing message. It is certain once no send to the chat is in flight. */
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
  return sent.isOwn(chatId, messageId);
}
