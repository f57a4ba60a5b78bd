import type { AccountUpdate } from '../../telegram/port/updates.ts';

/** Telegram's dates are whole seconds: something happened within the second that begins there. */
const dateMs = 1000;

/**
 * Whether an update is of the time before `since`, as far as it says so itself: by its date; without one, whatever had to
 * be asked for may be old. A message of the very second in which the webhook was set counts as after.
 */
export function isBeforeWebhook({ at, missed }: AccountUpdate, since: number): boolean {
  return at === undefined ? missed : at + dateMs <= since;
}
