import { LightAbort } from '../../../actors/kit/light-abort.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';

/** An account that knows every user. What it sends is a text, which is added to `sent`: its ID is how many there are. */
export function textAccount(sent: string[]): TelegramAccount {
  const account: Partial<TelegramAccount> = {
    id: '1001',
    ended: new LightAbort(),
    userById: async (id) => ({ kind: 'user', id }),
    sendText: async (_peer, { text }) => sent.push(text),
  };
  return account as TelegramAccount;
}
