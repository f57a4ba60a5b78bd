import { GatewayError } from '../../errors/gateway-error.ts';
import { OutcomeUnknownError } from '../../telegram/port/errors.ts';
import type { ButtonAnswer, ButtonPlace } from '../../telegram/port/interactions.ts';
import type { SendMessageOptions } from '../send-message.ts';
import { type ActionDeps, inChat, type MessageRef } from './message-actions.ts';

const nothing: ButtonAnswer = { text: '', url: '', alert: false };

/**
 * Presses an inline button (MX4.1). With a key it is pressed once at most: a repeated request whose first one has no known
 * outcome says so.
 * @returns what its bot says; nothing if it did not answer in time
 * @throws {GatewayError} 400: no such chat, message or button; 500: it may have been pressed, or too slow.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function pressButton(
  deps: ActionDeps,
  { chat, messageId }: MessageRef,
  place: ButtonPlace,
  { begin, begun }: SendMessageOptions,
): Promise<ButtonAnswer> {
  return inChat(deps, chat, async ({ interactions }, peer, signal) => {
    // The bot may have changed its buttons since.
    if (begun !== undefined) throw maybePressed();
    const button = await interactions.button(peer, messageId, place, signal);
    if (button === undefined) throw new GatewayError(400, 'button not found');
    if (button.kind === 'url') return { ...nothing, url: button.url };
    if (button.kind === 'other') throw new GatewayError(400, 'button is not supported');
    await begin?.();
    try {
      return (await interactions.press(peer, messageId, button.data, signal)) ?? nothing;
    } catch (error) {
      throw error instanceof OutcomeUnknownError ? maybePressed(error) : error;
    }
  });
}

const maybePressed = (cause?: unknown): GatewayError =>
  new GatewayError(500, 'it is not known whether the button was pressed', undefined, { cause });

/**
 * Votes in a poll or quiz (MX4.3). With a key, a repeated request whose first one was carried out is no error.
 * @param places of the answers, counted from 0; none takes the vote back
 * @throws {GatewayError} 400: no such chat, message, poll or answer; 500: too slow.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function voteInPoll(
  deps: ActionDeps,
  { chat, messageId }: MessageRef,
  places: readonly number[],
  { begin, begun }: SendMessageOptions,
): Promise<void> {
  return inChat(deps, chat, async ({ interactions }, peer, signal) => {
    const poll = await interactions.poll(peer, messageId, signal);
    if (poll === undefined) throw new GatewayError(400, 'message is not a poll');
    const options = places.map((place, index) => {
      const option = poll.options[place];
      if (option !== undefined) return option;
      throw new GatewayError(400, `options.${index} must be between 0 and ${poll.options.length - 1}`);
    });
    await begin?.();
    await interactions.vote(peer, messageId, options, begun !== undefined, signal);
  });
}
