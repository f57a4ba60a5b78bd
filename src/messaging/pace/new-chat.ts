import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { TelegramAccount } from '../../telegram/port/account.ts';
import { TelegramError } from '../../telegram/port/errors.ts';
import type { Peer } from '../../telegram/port/peer.ts';

/** Service messages, as that a contact joined Telegram, make no chat: some of the newest are looked at. */
const newestMessages = 20;

/** Whether a chat has no messages: the account would be the first to write. */
export async function isNewChat(account: TelegramAccount, peer: Peer, signal: LightAbortSignal): Promise<boolean> {
  if (peer.id === account.id) return false;
  try {
    const { messages } = await account.reading.messages(peer, { before: 0, limit: newestMessages }, signal);
    return messages.length === 0;
  } catch (error) {
    // Bots may not read a chat, and cannot be the first to write.
    if (error instanceof TelegramError && error.code === 400) return false;
    throw error;
  }
}
