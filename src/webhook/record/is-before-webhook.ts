import type { AccountUpdate } from '../../telegram/port/updates.ts';

/** Telegram's dates are whole seconds: a date names the second that begins there. */
const dateMs = 1000;

/**
 * Whether an update is from before `since`. Its date decides. Without a date, an update that was pushed is new, and one that
 * had to be fetched may be old. A message of the very second in which the webhook was set counts as after.
 */
export function isBeforeWebhook({ at, missed }: AccountUpdate, since: number): boolean {
  return at === undefined ? missed : at + dateMs <= since;
}
