import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './peer.ts';

/** Counted from 0. */
export interface ButtonPlace {
  row: number;
  column: number;
}

/** An inline button: it opens a URL, or its bot is told. `other`: it wants what this gateway does not give. */
export type InlineButton = { kind: 'url'; url: string } | { kind: 'callback'; data: Buffer } | { kind: 'other' };

/** What a bot says to someone who has pressed a button. Texts are empty if it does not say them. */
export interface ButtonAnswer {
  text: string;
  url: string;
  /** The text is shown until it is confirmed. */
  alert: boolean;
}

/** A poll's answers, by what a vote for each is. */
export interface PollAnswers {
  options: readonly Buffer[];
}

/**
 * The buttons and polls of messages that the connected account sees. Every call throws {@link TelegramError} and
 * {@link NotConnectedError}; those that look for a message throw {@link MessageNotFoundError}.
 */
export interface Interactions {
  /** Undefined if the message has no inline button there. */
  button(
    peer: Peer,
    messageId: number,
    place: ButtonPlace,
    signal: LightAbortSignal,
  ): Promise<InlineButton | undefined>;
  /**
   * Presses a button, once: the request is never repeated.
   * @returns undefined if its bot did not answer in time
   * @throws {OutcomeUnknownError} it may have been pressed
   */
  press(peer: Peer, messageId: number, data: Buffer, signal: LightAbortSignal): Promise<ButtonAnswer | undefined>;
  /** Undefined if the message is no poll. */
  poll(peer: Peer, messageId: number, signal: LightAbortSignal): Promise<PollAnswers | undefined>;
  /**
   * Votes for these options; none takes the vote back.
   * @param mayBeDone an earlier request may have done it; then a vote that is so already is no error
   */
  vote(
    peer: Peer,
    messageId: number,
    options: readonly Buffer[],
    mayBeDone: boolean,
    signal: LightAbortSignal,
  ): Promise<void>;
}
