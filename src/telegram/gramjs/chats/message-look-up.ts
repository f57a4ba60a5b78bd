import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel } from '../peers/input-peer.ts';

/** As many as Telegram gives in one answer. */
const mostIds = 100;

interface Batch {
  ids: Set<number>;
  answer: Promise<readonly Api.TypeMessage[]>;
  wantedBy: number;
  stop: LightAbort;
}

/**
 * Single messages by their IDs. Those that are asked for while an answer is on its way are asked for together after it:
 * a page full of pictures takes a few requests, not a hundred.
 */
export class MessageLookUp {
  readonly #call: RpcCall;
  /** The batches that will be sent next, and those that have been sent, by whose count the IDs are of. */
  readonly #next = new Map<string, Batch>();
  readonly #sent = new Map<string, Promise<unknown>>();

  constructor(call: RpcCall) {
    this.#call = call;
  }

  /**
   * @param channel the supergroup or channel that it is in; undefined for a private chat or a basic group, which share
   * one count
   * @returns undefined where there is no such message, or a service message
   */
  async get(channel: KnownPeer | undefined, id: number, signal: LightAbortSignal): Promise<Api.Message | undefined> {
    signal.throwIfAborted();
    const batch = this.#batch(channel);
    batch.ids.add(id);
    const messages = await share(batch, signal);
    return messages.find((message): message is Api.Message => message instanceof Api.Message && message.id === id);
  }

  #batch(channel: KnownPeer | undefined): Batch {
    const key = channel?.id ?? '';
    const waiting = this.#next.get(key);
    if (waiting !== undefined && waiting.ids.size < mostIds) return waiting;
    const stop = new LightAbort();
    const ids = new Set<number>();
    const before = waiting?.answer ?? this.#sent.get(key);
    const batch: Batch = { ids, wantedBy: 0, stop, answer: this.#send(key, channel, { ids, stop }, before) };
    this.#next.set(key, batch);
    return batch;
  }

  async #send(
    key: string,
    channel: KnownPeer | undefined,
    { ids, stop }: Pick<Batch, 'ids' | 'stop'>,
    before: Promise<unknown> | undefined,
  ): Promise<readonly Api.TypeMessage[]> {
    await before?.catch(() => undefined);
    await new Promise(setImmediate);
    if (this.#next.get(key)?.ids === ids) this.#next.delete(key);
    stop.throwIfAborted();
    const asked = this.#ask(channel, [...ids], stop);
    this.#sent.set(key, asked);
    try {
      return await asked;
    } finally {
      if (this.#sent.get(key) === asked) this.#sent.delete(key);
    }
  }

  async #ask(
    channel: KnownPeer | undefined,
    ids: readonly number[],
    signal: LightAbortSignal,
  ): Promise<readonly Api.TypeMessage[]> {
    const id = ids.map((number) => new Api.InputMessageID({ id: number }));
    const request =
      channel === undefined
        ? new Api.messages.GetMessages({ id })
        : new Api.channels.GetMessages({ channel: inputChannel(channel), id });
    const answer: Api.messages.TypeMessages = await this.#call(request, signal, longestWaitMs);
    return answer instanceof Api.messages.MessagesNotModified ? [] : answer.messages;
  }
}

/** A longer wait is for whoever asked to hear of. */
export const longestWaitMs = 3_000;

/** The batch's answer; a signal's reason, where that is first. Nobody left wanting it, it is not asked for. */
function share(batch: Batch, signal: LightAbortSignal): Promise<readonly Api.TypeMessage[]> {
  batch.wantedBy += 1;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      batch.wantedBy -= 1;
      if (batch.wantedBy === 0) batch.stop.abort(new Error('nobody wants it any more'));
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort);
    void batch.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
