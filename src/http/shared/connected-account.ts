import { sessionNotConnected } from '../../errors/gateway-error.ts';
import type { TelegramAccount, TelegramAccounts } from '../../telegram/port/account.ts';

/** The account of a connected session. @throws {GatewayError} 500: it has just disconnected */
export function connectedAccount(accounts: TelegramAccounts, sessionId: string): TelegramAccount {
  const account = accounts.get(sessionId);
  if (account === undefined) throw sessionNotConnected();
  return account;
}
