import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import {
  InvalidUsernameError,
  NotJoinedError,
  PeerNotFoundError,
  PhoneNotFoundError,
} from '../telegram/port/errors.ts';
import type { Peer } from '../telegram/port/peer.ts';
import { serviceAccounts } from '../telegram/port/service-accounts.ts';
import { idPattern, type Recipient } from './recipient.ts';

/**
 * The peer of a recipient. @throws {GatewayError} 400 with the interface's message: it does not exist, or is of another
 * kind
 */
export async function resolveRecipient(
  account: TelegramAccount,
  recipient: Recipient,
  signal: LightAbortSignal,
): Promise<Peer> {
  if (recipient.kind !== 'group' && recipient.kind !== 'channel')
    return found(() => lookUp(account, recipient, signal));
  const wrong = new GatewayError(400, `${recipient.kind} not found`);
  const peer = await found(() => lookUp(account, recipient, signal), wrong);
  if (peer.kind !== recipient.kind) throw wrong;
  return recipient.by === 'id' ? peer : joined(account, peer, wrong, signal);
}

/**
 * As {@link resolveRecipient}, without Telegram's own accounts, which send login codes. For all that came after the
 * interface.
 * @throws {GatewayError} 400
 */
export async function resolveOpenRecipient(
  account: TelegramAccount,
  recipient: Recipient,
  signal: LightAbortSignal,
): Promise<Peer> {
  const peer = await resolveRecipient(account, recipient, signal);
  if (serviceAccounts.has(peer.id)) throw new GatewayError(400, 'chat not found');
  return peer;
}

/**
 * The chat of a `chatId`: a private chat, or a joined group or channel. Those of Telegram's own accounts, which send login
 * codes, are nobody's.
 * @throws {GatewayError} 400
 */
export async function resolveChatId(account: TelegramAccount, chatId: string, signal: LightAbortSignal): Promise<Peer> {
  const notFound = new GatewayError(400, 'chat not found');
  if (!idPattern.test(chatId) || serviceAccounts.has(chatId)) throw notFound;
  const look = (): Promise<Peer> =>
    chatId.startsWith('-') ? account.chatById(chatId, signal) : account.userById(chatId, signal);
  return found(look, notFound);
}

async function lookUp(account: TelegramAccount, recipient: Recipient, signal: LightAbortSignal): Promise<Peer> {
  if (recipient.by === 'username') return account.byUsername(recipient.username, signal);
  if (recipient.by === 'phone') return account.byPhone(recipient.digits, signal);
  // A user's ID in `group` names a user and no group. Telegram decides which of the two errors it gets.
  return recipient.id.startsWith('-') ? account.chatById(recipient.id, signal) : account.userById(recipient.id, signal);
}

/** A public username also finds chats that the account has not joined; an ID does not. */
async function joined(account: TelegramAccount, peer: Peer, wrong: Error, signal: LightAbortSignal): Promise<Peer> {
  try {
    return await account.chatById(peer.id, signal);
  } catch (error) {
    throw error instanceof PeerNotFoundError ? wrong : error;
  }
}

/** @param notJoined the message for a known chat that the account is not in, if it has to be */
async function found(look: () => Promise<Peer>, notJoined?: Error): Promise<Peer> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof NotJoinedError && notJoined !== undefined) throw notJoined;
    if (error instanceof InvalidUsernameError) throw new GatewayError(400, 'invalid chat');
    if (error instanceof PeerNotFoundError) throw new GatewayError(400, 'chat not found');
    if (error instanceof PhoneNotFoundError) {
      throw new GatewayError(400, 'phone is not on telegram or hidden by its privacy settings');
    }
    throw error;
  }
}
