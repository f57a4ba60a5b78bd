import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import type { Peer } from '../telegram/port/peer.ts';
import { type Recipient, readRecipient } from './recipient.ts';
import { resolveOpenRecipient } from './resolve-recipient.ts';

/** A user by their ID or `@username`. @throws {GatewayError} 400: it can be neither */
export function readUser(text: string): Recipient {
  return readRecipient(text.trim().startsWith('@') ? { username: text } : { user: text }, 'chat not found');
}

/** The peer of a user. Telegram's own accounts are nobody's. @throws {GatewayError} 400 */
export async function resolveUser(account: TelegramAccount, user: Recipient, signal: LightAbortSignal): Promise<Peer> {
  const peer = await resolveOpenRecipient(account, user, signal);
  if (peer.kind !== 'user') throw new GatewayError(400, 'chat not found');
  return peer;
}
