import { Api } from 'telegram/tl/index.js';
import type { KnownPeer } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import { inputChannel } from '../peers/input-peer.ts';
import { differenceUpdates } from './flatten-updates.ts';
import { isPositionUseless, type LostReason } from './lost-updates.ts';

/** Updates in one difference: always few enough for one append, even if each is a text of the greatest length. */
const maxAtOnce = 30;

export type AskTelegram = <R extends Api.AnyRequest>(request: R) => Promise<R['__response']>;

interface DifferenceStep {
  /** The position after it; undefined: Telegram does not know the one before. */
  pts?: number;
  updates: readonly Api.TypeUpdate[];
  /** Nothing is left to be fetched. */
  isFinal: boolean;
  lost?: LostReason;
}

/**
 * The updates of a supergroup or channel after a position; undefined if Telegram does not show it to the account.
 * @throws {TelegramError} that is retryable, and what `ask` throws
 */
export async function channelDifference(
  ask: AskTelegram,
  channel: KnownPeer,
  pts: number,
): Promise<DifferenceStep | undefined> {
  const filter = new Api.ChannelMessagesFilterEmpty();
  try {
    const answer = await ask(
      new Api.updates.GetChannelDifference({ channel: inputChannel(channel), filter, pts, limit: maxAtOnce }),
    );
    if (answer instanceof Api.updates.ChannelDifference) {
      return { pts: answer.pts, updates: differenceUpdates(answer), isFinal: answer.final === true };
    }
    if (answer instanceof Api.updates.ChannelDifferenceEmpty) return { pts: answer.pts, updates: [], isFinal: true };
    const { dialog } = answer;
    const now = (dialog instanceof Api.Dialog && dialog.pts) || pts;
    return { pts: now, updates: [], isFinal: true, lost: 'too-many' };
  } catch (error) {
    if (isPositionUseless(error)) {
      const lost = error instanceof UnreadableAnswerError ? 'unreadable' : 'position-unknown';
      return { updates: [], isFinal: false, lost };
    }
    if (mayComeLater(error)) throw error;
    return undefined;
  }
}

/** Whether a failed fetch may succeed later: Telegram still has what it cannot give now (PERSISTENT_TIMESTAMP_OUTDATED). */
export const mayComeLater = (failure: unknown): boolean =>
  failure !== undefined && !(failure instanceof TelegramError && !failure.retryable);
