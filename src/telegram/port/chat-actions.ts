import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './peer.ts';

/**
 * What the connected account does to its chats. All of it may be repeated. Every call throws {@link TelegramError} and
 * {@link NotConnectedError}.
 */
export interface ChatActions {
  /**
   * Marks a chat, or a topic of it, as read, up to this message or its newest one. In a private chat the other side sees
   * it.
   */
  read(peer: Peer, upTo: number | undefined, topic: number | undefined, signal: LightAbortSignal): Promise<void>;
  /** Moves a chat into the archive, or out of it. */
  archive(peer: Peer, isArchived: boolean, signal: LightAbortSignal): Promise<void>;
  /** Silences a chat, or a topic of it, for good, or no longer. */
  mute(peer: Peer, isMuted: boolean, topic: number | undefined, signal: LightAbortSignal): Promise<void>;
  /** Puts a chat at the top of the list, or a topic of it at the top of the topics for all members, or back to its place. */
  pin(peer: Peer, isPinned: boolean, topic: number | undefined, signal: LightAbortSignal): Promise<void>;
}
