import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel } from '../peers/input-peer.ts';

/** Telegram's maximum for one answer. */
const maxIds = 100;

interface Batch {
  ids: Set<number>;
  answer: Promise<readonly Api.TypeMessage[]>;
  wantedBy: number;
  stop: LightAbort;
}

/**
 * Looks up single messages by ID. IDs that are requested while a request is in flight go into the next one together: a
 * page of pictures takes a few requests, not a hundred.
 */
export class MessageLookUp {
  readonly #call: RpcCall;
  /** The next batch and the batches in flight, by the box that numbers the IDs. */
  readonly #next = new Map<string, Batch>();
  readonly #sent = new Map<string, Promise<unknown>>();

  constructor(call: RpcCall) {
    this.#call = call;
  }

  /**
   * @param channel the supergroup or channel of the message; undefined for a private chat or a basic group, which share
   * one numbering
   * @returns undefined if there is no such message, or it is a service message
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
    if (waiting !== undefined && waiting.ids.size < maxIds) return waiting;
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
    const answer = this.#ask(channel, [...ids], stop);
    this.#sent.set(key, answer);
    try {
      return await answer;
    } finally {
      if (this.#sent.get(key) === answer) this.#sent.delete(key);
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
    const answer: Api.messages.TypeMessages = await this.#call(request, signal, maxWaitMs);
    return answer instanceof Api.messages.MessagesNotModified ? [] : answer.messages;
  }
}

/** Callers get longer waits as an error. */
export const maxWaitMs = 3_000;

/**
 * The answer of a batch, or the reason of a signal that aborts first. A batch that no caller wants any more is not
 * sent.
 */
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
