import { KeyedQueue } from '../../../../actors/kit/keyed-queue.ts';

const nothing = (): void => undefined;

/**
 * Keeps the order of a chat while Telegram makes a send wait: sends that begin meanwhile go out after it, one after the
 * other (ER3). Without a wait nothing is held back.
 */
export class SendOrder {
  /** Sends that wait, and those behind them, by chat. */
  readonly #waiting = new KeyedQueue();

  /** @param send gets a function that it calls when it begins to wait; it may call it again */
  run<T>(chat: string, send: (onWait: () => void) => Promise<T>): Promise<T> {
    return this.#waiting.isBusy(chat) ? this.#waiting.run(chat, () => send(nothing)) : this.#holding(chat, send);
  }

  #holding<T>(chat: string, send: (onWait: () => void) => Promise<T>): Promise<T> {
    let isHolding = false;
    const sent = send(() => {
      if (isHolding) return;
      isHolding = true;
      void this.#waiting.run(chat, () => sent.then(nothing, nothing));
    });
    return sent;
  }
}
