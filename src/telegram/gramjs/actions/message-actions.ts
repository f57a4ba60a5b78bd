import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { MessageNotFoundError, TelegramError } from '../../port/errors.ts';
import type { MessageActions } from '../../port/message-actions.ts';
import type { Peer } from '../../port/peer.ts';
import type { FormattedText } from '../../port/text.ts';
import { messagesById } from '../chats/messages-by-id.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import { isNumberedAlone, knownPeer } from '../peers/known-peer.ts';
import { messageEntities } from '../peers/text-entities.ts';
import type { Sending } from '../sending/sending.ts';

export interface MessageActionsDeps extends Pick<Sending, 'toGatewayTime'> {
  book: PeerCache;
  call: RpcCall;
}

/** Telegram's names of reactions have no variation selector; keyboards write one (https://core.telegram.org/api/reactions). */
const variationSelector = /\ufe0f/gu;

/** What a connected account does to messages. */
export class GramMessageActions implements MessageActions {
  readonly #book: PeerCache;
  readonly #call: RpcCall;
  readonly #toGatewayTime: Sending['toGatewayTime'];

  constructor({ book, call, toGatewayTime }: MessageActionsDeps) {
    this.#book = book;
    this.#call = call;
    this.#toGatewayTime = toGatewayTime;
  }

  async edit(
    peer: Peer,
    messageId: number,
    { text, entities }: FormattedText,
    begunAt: number | undefined,
    signal: LightAbortSignal,
  ): Promise<void> {
    if (begunAt !== undefined && (await this.#isEditedSince(peer, messageId, begunAt, signal))) return;
    const request = new Api.messages.EditMessage({
      peer: this.#inputPeer(peer),
      id: messageId,
      message: text,
      ...(entities.length > 0 && { entities: messageEntities(entities, this.#book) }),
    });
    let isRepeated = begunAt !== undefined;
    const onResend = (): void => {
      isRepeated = true;
    };
    try {
      await this.#call(request, signal, undefined, undefined, onResend);
    } catch (error) {
      if (!(isRepeated && isUnchanged(error))) throw error;
    }
  }

  async delete(
    peer: Peer,
    messageIds: readonly number[],
    forEveryone: boolean,
    signal: LightAbortSignal,
  ): Promise<void> {
    const known = knownPeer(this.#book, peer);
    if (isNumberedAlone(known)) {
      await this.#call(new Api.channels.DeleteMessages({ channel: inputChannel(known), id: [...messageIds] }), signal);
      return;
    }
    // All private chats and basic groups share one numbering, and the request names no chat.
    const id = (await messagesById(this.#call, known, messageIds, signal)).map((message) => message.id);
    if (id.length > 0) await this.#call(new Api.messages.DeleteMessages({ id, revoke: forEveryone }), signal);
  }

  async react(peer: Peer, messageId: number, emoji: string, signal: LightAbortSignal): Promise<void> {
    const emoticon = emoji.replaceAll(variationSelector, '');
    const reaction = emoticon === '' ? [] : [new Api.ReactionEmoji({ emoticon })];
    await this.#unlessSo(
      new Api.messages.SendReaction({ peer: this.#inputPeer(peer), msgId: messageId, reaction }),
      signal,
    );
  }

  async pin(peer: Peer, messageId: number, isPinned: boolean, signal: LightAbortSignal): Promise<void> {
    await this.#unlessSo(
      new Api.messages.UpdatePinnedMessage({
        peer: this.#inputPeer(peer),
        id: messageId,
        ...(!isPinned && { unpin: true }),
      }),
      signal,
    );
  }

  async deleteScheduled(peer: Peer, scheduledId: number, signal: LightAbortSignal): Promise<void> {
    const request = new Api.messages.DeleteScheduledMessages({ peer: this.#inputPeer(peer), id: [scheduledId] });
    try {
      await this.#call(request, signal);
    } catch (error) {
      if (!(error instanceof TelegramError && error.errorName === 'MESSAGE_ID_INVALID')) throw error;
      throw new MessageNotFoundError(`the queue of ${peer.id} has no message ${scheduledId}`, { cause: error });
    }
  }

  /** Telegram's dates are whole seconds, rounded down. A reaction changes the date too, but hides it. */
  async #isEditedSince(peer: Peer, messageId: number, begunAt: number, signal: LightAbortSignal): Promise<boolean> {
    const [message] = await messagesById(this.#call, knownPeer(this.#book, peer), [messageId], signal);
    if (!(message instanceof Api.Message) || !message.editDate || message.editHide) return false;
    return this.#toGatewayTime(message.editDate) >= begunAt;
  }

  /** What is wanted may hold already: then Telegram refuses the request, and it is no error. */
  async #unlessSo(
    request: Api.messages.SendReaction | Api.messages.UpdatePinnedMessage,
    signal: LightAbortSignal,
  ): Promise<void> {
    try {
      await this.#call(request, signal);
    } catch (error) {
      if (!isUnchanged(error)) throw error;
    }
  }

  #inputPeer(peer: Peer): Api.TypeInputPeer {
    return inputPeer(knownPeer(this.#book, peer));
  }
}

/** Telegram's names for: it is so already. */
const unchanged: ReadonlySet<string> = new Set(['MESSAGE_NOT_MODIFIED', 'CHAT_NOT_MODIFIED']);

const isUnchanged = (error: unknown): boolean => error instanceof TelegramError && unchanged.has(error.errorName);
