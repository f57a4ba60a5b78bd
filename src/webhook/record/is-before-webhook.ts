import type { AccountUpdate } from '../../telegram/port/updates.ts';

/** Telegram's dates are whole seconds. */
const dateMs = 1000;

/**
 * Whether an update is from before `since`. Its date decides. Without a date, a pushed update is new, and a fetched one
 * may be old. An update of the second in which the webhook was set is not before it.
 */
export function isBeforeWebhook({ at, missed }: Pick<AccountUpdate, 'at' | 'missed'>, since: number): boolean {
  return at === undefined ? missed : at + dateMs <= since;
}
