import type { FastifyRequest } from 'fastify';
import { sessionNotConnected } from '../../errors/gateway-error.ts';
import { withinChats } from '../../recipients/within-chats.ts';
import type { TelegramAccount, TelegramAccounts } from '../../telegram/port/account.ts';

/** Whose account is used, and by whom. */
export type AccountRequest = Pick<FastifyRequest, 'view' | 'caller'>;

/**
 * The account of a connected session; for a key with `chats` it has these chats alone (KY5).
 * @throws {GatewayError} 500: it has just disconnected
 */
export function connectedAccount(accounts: TelegramAccounts, { view, caller }: AccountRequest): TelegramAccount {
  const account = accounts.get(view.id);
  if (account === undefined) throw sessionNotConnected();
  const { chats } = caller.powers;
  return chats === undefined ? account : withinChats(account, chats);
}
