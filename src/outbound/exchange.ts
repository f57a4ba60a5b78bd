import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock, TimerHandle } from '../../actors/clock.ts';
import type { StopSignal } from '../stop-signal.ts';
import { OutboundError } from './outbound-error.ts';

/** What of an answer's body is read, so that its connection can be used again; it says nothing to us. */
const maxAnswerBytes = 64 * 1024;

export interface PostAnswer {
  status: number;
  /** The header, as it came. */
  retryAfter: string | undefined;
}

/**
 * One request and what came of it. undici's own `request` makes a stream of every answer, which costs about as much as
 * the request itself; here nobody reads one.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Once its body has ended, however. Rejects with why there is none. */
  readonly answer: Promise<PostAnswer>;
  readonly #clock: Clock;
  readonly #timer: TimerHandle;
  readonly #signal: StopSignal | undefined;
  #resolve: (answer: PostAnswer) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #head: PostAnswer | undefined;
  #stopped: Error | undefined;
  #bytes = 0;

  /** @param signal that has not been set off yet */
  constructor(clock: Clock, timeoutMs: number, signal: StopSignal | undefined) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#clock = clock;
    this.#signal = signal;
    this.#timer = clock.setTimeout(() => this.#give(new OutboundError('it took too long')), timeoutMs);
    signal?.addEventListener('abort', this.#follow, { once: true });
  }

  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#follow);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Its turn came late: nothing is sent any more.
    if (this.#stopped !== undefined) controller.abort(this.#stopped);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    const { 'retry-after': retryAfter } = headers;
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  }

  onResponseData(controller: Dispatcher.DispatchController, { length }: Buffer): void {
    this.#bytes += length;
    if (this.#bytes > maxAnswerBytes) controller.abort(new OutboundError('its answer is too long'));
  }

  onResponseEnd(): void {
    this.#settle(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(error);
  }

  /** The answer counts however its body ends: what is lost with a bad one is its connection. */
  #settle(error: unknown): void {
    if (this.#head === undefined) this.#reject(error);
    else this.#resolve(this.#head);
  }

  #give(reason: Error): void {
    this.#stopped = reason;
    this.#settle(reason);
    this.#controller?.abort(reason);
  }

  readonly #follow = (): void => {
    const reason = this.#signal?.reason;
    this.#give(reason instanceof Error ? reason : new OutboundError('it was stopped'));
  };
}
