import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { MessageNotFoundError, OutcomeUnknownError, TelegramError } from '../../port/errors.ts';
import type { ButtonAnswer, ButtonPlace, InlineButton, Interactions, PollAnswers } from '../../port/interactions.ts';
import type { Peer } from '../../port/peer.ts';
import { messagesById } from '../chats/messages-by-id.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';

/** The buttons and polls of messages that a connected account sees. */
export class GramInteractions implements Interactions {
  readonly #book: PeerCache;
  readonly #call: RpcCall;

  constructor({ book, call }: { book: PeerCache; call: RpcCall }) {
    this.#book = book;
    this.#call = call;
  }

  async button(
    peer: Peer,
    messageId: number,
    place: ButtonPlace,
    signal: LightAbortSignal,
  ): Promise<InlineButton | undefined> {
    const { replyMarkup } = await this.#message(peer, messageId, signal);
    return buttonAt(replyMarkup, place);
  }

  async press(
    peer: Peer,
    messageId: number,
    data: Buffer,
    signal: LightAbortSignal,
  ): Promise<ButtonAnswer | undefined> {
    const request = new Api.messages.GetBotCallbackAnswer({ peer: this.#inputPeer(peer), msgId: messageId, data });
    const onResend = (): void => {
      throw new OutcomeUnknownError('telegram did not say whether the button was pressed');
    };
    try {
      const { message, url, alert } = await this.#call(request, signal, undefined, undefined, onResend);
      // GramJS reads a missing field as null.
      return { text: message ?? '', url: url ?? '', alert: alert === true };
    } catch (error) {
      if (error instanceof TelegramError && error.errorName === 'BOT_RESPONSE_TIMEOUT') return undefined;
      throw error;
    }
  }

  async poll(peer: Peer, messageId: number, signal: LightAbortSignal): Promise<PollAnswers | undefined> {
    const poll = (await this.#pollOf(peer, messageId, signal))?.poll;
    return poll && { options: poll.answers.map(({ option }) => option) };
  }

  async vote(
    peer: Peer,
    messageId: number,
    options: readonly Buffer[],
    mayBeDone: boolean,
    signal: LightAbortSignal,
  ): Promise<void> {
    const request = new Api.messages.SendVote({
      peer: this.#inputPeer(peer),
      msgId: messageId,
      options: [...options],
    });
    let isRepeated = mayBeDone;
    const onResend = (): void => {
      isRepeated = true;
    };
    try {
      await this.#call(request, signal, undefined, undefined, onResend);
    } catch (error) {
      const mayHold = isRepeated && error instanceof TelegramError && error.code === 400;
      if (!mayHold || !areChosen(await this.#pollOf(peer, messageId, signal), options)) throw error;
    }
  }

  async #pollOf(peer: Peer, messageId: number, signal: LightAbortSignal): Promise<Api.MessageMediaPoll | undefined> {
    const { media } = await this.#message(peer, messageId, signal);
    return media instanceof Api.MessageMediaPoll ? media : undefined;
  }

  async #message(peer: Peer, id: number, signal: LightAbortSignal): Promise<Api.Message> {
    const [found] = await messagesById(this.#call, knownPeer(this.#book, peer), [id], signal);
    if (found instanceof Api.Message) return found;
    throw new MessageNotFoundError(`${peer.id} has no message ${id}`);
  }

  #inputPeer(peer: Peer): Api.TypeInputPeer {
    return inputPeer(knownPeer(this.#book, peer));
  }
}

/** @param markup only an inline keyboard has buttons that can be pressed by their place */
export function buttonAt(
  markup: Api.TypeReplyMarkup | undefined,
  { row, column }: ButtonPlace,
): InlineButton | undefined {
  if (!(markup instanceof Api.ReplyInlineMarkup)) return undefined;
  const button = markup.rows[row]?.buttons[column];
  if (button === undefined) return undefined;
  if (button instanceof Api.KeyboardButtonUrl) return { kind: 'url', url: button.url };
  const isPlain = button instanceof Api.KeyboardButtonCallback && button.requiresPassword !== true;
  return isPlain ? { kind: 'callback', data: button.data } : { kind: 'other' };
}

/** Whether the account has voted for exactly these options. */
export function areChosen(media: Api.MessageMediaPoll | undefined, options: readonly Buffer[]): boolean {
  const counts = media?.results.results ?? [];
  const chosen = counts.filter((count) => count.chosen === true).map(({ option }) => option.toString('hex'));
  const wanted = new Set(options.map((option) => option.toString('hex')));
  return chosen.length === wanted.size && chosen.every((option) => wanted.has(option));
}
