import { TelegramError } from '../../port/errors.ts';
import { UnreadableAnswerError } from '../library/sender.ts';

/**
 * `too-many`: too many updates; `position-unknown`: Telegram does not know the position; `unreadable`: this layer
 * cannot read them; `stuck`: Telegram says that there are more and does not send them.
 */
export type LostReason = 'too-many' | 'position-unknown' | 'unreadable' | 'stuck';

/** Fetching from that position again would fail without end, and no pushed update would fit. */
export function isPositionUseless(error: unknown): boolean {
  if (error instanceof UnreadableAnswerError) return true;
  return error instanceof TelegramError && /^PERSISTENT_TIMESTAMP_(?:INVALID|EMPTY)$/.test(error.errorName);
}
