import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { withAnswerTimeout } from '../errors/answer-timeout.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { readChat } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import { PeerNotFoundError } from '../telegram/port/errors.ts';
import type { Peer } from '../telegram/port/peer.ts';
import type { ChatCache } from './chat-cache.ts';

/** The groups and channels of one account, with their cached details. */
export interface ChatService {
  account: TelegramAccount;
  cache: ChatCache;
  clock: Clock;
}

/** Limits the time of a response. @throws {GatewayError} 500 when it is over */
export function inTime<T>({ clock }: ChatService, work: (signal: LightAbortSignal) => Promise<T>): Promise<T> {
  return withAnswerTimeout(clock, work);
}

/**
 * Finds the joined group or channel by its ID or its public username, and passes it to `ask`.
 * @throws {GatewayError} 400 with the interface's message. {@link TelegramError} {@link NotConnectedError}
 */
export async function withChat<T>(
  { account }: ChatService,
  kind: 'group' | 'channel',
  name: string,
  signal: LightAbortSignal,
  ask: (peer: Peer) => Promise<T>,
): Promise<T> {
  const peer = await resolveRecipient(account, readChat(kind, name.trim()), signal);
  try {
    return await ask(peer);
  } catch (error) {
    // It was joined as far as the gateway knew.
    throw error instanceof PeerNotFoundError ? new GatewayError(400, `${kind} not found`) : error;
  }
}
