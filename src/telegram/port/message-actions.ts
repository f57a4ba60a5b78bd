import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './peer.ts';
import type { FormattedText } from './text.ts';

/**
 * What the connected account does to messages that are there. Message IDs are those of the account's own view. Every call
 * throws {@link TelegramError} and {@link NotConnectedError}.
 */
export interface MessageActions {
  /**
   * Gives a message another text or caption.
   * @param begunAt when an earlier request began that may have done it (milliseconds since 1970 on the gateway's clock).
   *   Then a message that is so already is no error, and one that was edited since then stays as it is
   */
  edit(
    peer: Peer,
    messageId: number,
    text: FormattedText,
    begunAt: number | undefined,
    signal: LightAbortSignal,
  ): Promise<void>;
  /**
   * Deletes those of these messages that the chat has. In supergroups and channels it is always for everyone.
   * @param messageIds up to 100
   */
  delete(peer: Peer, messageIds: readonly number[], forEveryone: boolean, signal: LightAbortSignal): Promise<void>;
  /** Reacts with one emoji instead of the account's earlier reactions; an empty text only takes these back. */
  react(peer: Peer, messageId: number, emoji: string, signal: LightAbortSignal): Promise<void>;
  /** Takes a message out of the chat's queue. @throws {MessageNotFoundError} it is not there, or has left */
  deleteScheduled(peer: Peer, scheduledId: number, signal: LightAbortSignal): Promise<void>;
  /** Pins a message for all, or unpins it. */
  pin(peer: Peer, messageId: number, isPinned: boolean, signal: LightAbortSignal): Promise<void>;
}
