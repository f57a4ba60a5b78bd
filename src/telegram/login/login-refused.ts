import { TelegramError } from '../port/errors.ts';

/** Shorter waits are waited out, and no refusal (ER3). */
const shortestWaitSeconds = 60;
const appsPage = 'https://my.telegram.org/apps';

/** What the operator can do, by Telegram's name of the error (https://core.telegram.org/method/auth.exportLoginToken). */
const advice: Readonly<Record<string, string>> = {
  API_ID_INVALID: `TELEGRAM_API_ID and TELEGRAM_API_HASH are not those of an application at ${appsPage}`,
  CONNECTION_API_ID_INVALID: `TELEGRAM_API_ID is not that of an application at ${appsPage}`,
  API_ID_PUBLISHED_FLOOD: `this API ID was published, so Telegram lets no one log in with it: get another at ${appsPage}`,
  UPDATE_APP_TO_LOGIN: 'Telegram wants a newer client for logins: update the gateway',
};

/** Why Telegram lets this application log in no account, if the error says that: Telegram's name for it. */
export function loginRefusal(error: unknown): string | undefined {
  if (!(error instanceof TelegramError)) return undefined;
  const isLongWait = error.waitSeconds !== undefined && error.waitSeconds >= shortestWaitSeconds;
  return isLongWait || error.errorName in advice ? error.errorName : undefined;
}

/** For people: `API_ID_INVALID (what to do)`. */
export function describeRefusal(reason: string): string {
  return `${reason} (${advice[reason] ?? 'Telegram asks to wait that many seconds before the next login'})`;
}
