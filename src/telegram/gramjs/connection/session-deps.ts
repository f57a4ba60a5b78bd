import type { TelegramLog } from '../../telegram-log.ts';
import type { LoginsOfAccount } from '../sending/logins-of-account.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import type { MtprotoConnectionDeps } from './mtproto-connection.ts';

/** The dependencies that everything of a logged-in session shares. */
export interface GramSessionDeps extends MtprotoConnectionDeps {
  log: TelegramLog;
  logins: LoginsOfAccount<SentMessages>;
}
