import type { StopSignal } from '../../actors/kit/light-abort.ts';
import { RequestError } from '../errors/gateway-error.ts';
import {
  InvalidUsernameError,
  NotJoinedError,
  type Peer,
  PeerNotFoundError,
  PhoneNotFoundError,
  type TelegramAccount,
} from '../telegram/port/account.ts';
import type { Receiver } from './recipient.ts';

/**
 * The peer that a receiver names.
 * @throws {RequestError} 400 in the interface's words: nobody there, or something else than was asked for.
 */
export async function resolveReceiver(account: TelegramAccount, receiver: Receiver, signal: StopSignal): Promise<Peer> {
  if (receiver.kind !== 'group' && receiver.kind !== 'channel') return found(() => lookUp(account, receiver, signal));
  const wrong = new RequestError(400, `${receiver.kind} not found`);
  const peer = await found(() => lookUp(account, receiver, signal), wrong);
  if (peer.kind !== receiver.kind) throw wrong;
  return receiver.by === 'id' ? peer : joined(account, peer, wrong, signal);
}

async function lookUp(account: TelegramAccount, receiver: Receiver, signal: StopSignal): Promise<Peer> {
  if (receiver.by === 'username') return account.byUsername(receiver.username, signal);
  if (receiver.by === 'phone') return account.byPhone(receiver.digits, signal);
  // A user's ID in `group` is somebody, and then no group: which of the two answers it gets is Telegram's to say.
  return receiver.id.startsWith('-') ? account.chatById(receiver.id, signal) : account.userById(receiver.id, signal);
}

/** A public name finds chats that the account has not joined, an ID does not. */
async function joined(account: TelegramAccount, peer: Peer, wrong: Error, signal: StopSignal): Promise<Peer> {
  try {
    return await account.chatById(peer.id, signal);
  } catch (error) {
    throw error instanceof PeerNotFoundError ? wrong : error;
  }
}

/** @param notJoined what is said of a chat that is known, where the account must be in it */
async function found(look: () => Promise<Peer>, notJoined?: Error): Promise<Peer> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof NotJoinedError && notJoined !== undefined) throw notJoined;
    if (error instanceof InvalidUsernameError) throw new RequestError(400, 'invalid chat');
    if (error instanceof PeerNotFoundError) throw new RequestError(400, 'chat not found');
    if (error instanceof PhoneNotFoundError) {
      throw new RequestError(400, 'phone is not on telegram or hidden by its privacy settings');
    }
    throw error;
  }
}
