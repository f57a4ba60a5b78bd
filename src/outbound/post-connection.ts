import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { clientOptions, maxInterimHeads } from './client-options.ts';
import { asConnector, type Dial, type RequestOf } from './connector.ts';
import { asOutboundError, improperHttp, isConnectionLost, OutboundError } from './outbound-error.ts';

/** Bytes of a response's body that are read so that the connection can be used again; the content is ignored. */
const maxBodyBytes = 64 * 1024;

export interface PostRequest {
  whose: RequestOf;
  /** Path and query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PostResponse {
  status: number;
  /** The header, as it came; undefined if it came more than once. */
  retryAfter: string | undefined;
}

/** Limits of a response, its body included. */
export interface ResponseWait {
  /** By the clock's `elapsed()`. */
  until: number;
  signal: LightAbortSignal | undefined;
}

/** The endpoint closed an idle connection before any byte of a response. */
export class UnansweredError extends OutboundError {}

export interface PostConnectionEvents {
  /** The response is complete: another request may follow. */
  onFree: (connection: PostConnection) => void;
  /** Called once: the connection cannot be used any more. */
  onClosed: (connection: PostConnection) => void;
}

interface Waiting {
  signal: LightAbortSignal | undefined;
  resolve: (response: PostResponse) => void;
  reject: (error: unknown) => void;
}

/**
 * One of undici's clients, with one request at a time. It connects with the first request. It is its own handler of
 * undici's events: undici's `request` would make a stream of every response, which costs as much as the request.
 */
export class PostConnection implements Dispatcher.DispatchHandler {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #events: PostConnectionEvents;
  readonly #dialling = new LightAbort();
  /** Of the request in flight, or of the last one. */
  #whose: RequestOf = { sessionId: '' };
  #socket: Socket | undefined;
  /** Complete responses on this socket. */
  #completed = 0;
  #waiting: Waiting | undefined;
  #timer: TimerHandle | undefined;
  #hasBegun = false;
  #interimHeads = 0;
  #bodyBytes = 0;
  #isClosed = false;

  constructor(origin: string, dial: Dial, clock: Clock, events: PostConnectionEvents) {
    this.#clock = clock;
    this.#events = events;
    const connect = asConnector(
      dial,
      () => this.#whose,
      this.#dialling,
      (socket) => {
        this.#socket = socket;
        this.#completed = 0;
      },
    );
    this.#client = new Client(origin, { ...clientOptions, connect });
    this.#client.on('disconnect', () => this.#onDisconnect());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The endpoint answered before it had taken the whole request, and may never read the rest. */
  get hasUnsentBytes(): boolean {
    return this.#socket !== undefined && this.#socket.writableLength > 0;
  }

  /**
   * Posts, and resolves when the head of the response has come. The connection is in use until `onFree`.
   * @throws {UnansweredError} @throws {OutboundError} @throws {TypeError} HTTP has no form for a header
   * @throws the signal's reason
   */
  post(request: PostRequest, { until, signal }: ResponseWait): Promise<PostResponse> {
    return new Promise((resolve, reject) => {
      this.#whose = request.whose;
      this.#waiting = { signal, resolve, reject };
      this.#hasBegun = false;
      this.#interimHeads = 0;
      this.#bodyBytes = 0;
      this.#timer = this.#clock.setTimeout(() => this.close(tookTooLong()), until - this.#clock.elapsed());
      if (signal?.aborted === true) return this.#onAbort();
      signal?.addEventListener('abort', this.#onAbort);
      this.#client.dispatch({ ...request, method: 'POST' }, this);
    });
  }

  /** @param reason what a request without a response rejects with */
  close(reason: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    this.#takeWaiting()?.reject(reason);
    const error = lostConnection();
    this.#dialling.abort(error);
    void this.#client.destroy(error);
    this.#events.onClosed(this);
  }

  // undici recognises the current kind of handler by this method.
  onRequestStart(): void {}

  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) {
      const { 'retry-after': retryAfter } = headers;
      const response = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
      this.#takeWaiting()?.resolve(response);
      return;
    }
    this.#interimHeads += 1;
    if (this.#interimHeads > maxInterimHeads) controller.abort(improperHttp());
  }

  onResponseData(controller: Dispatcher.DispatchController, { length }: Buffer): void {
    this.#bodyBytes += length;
    if (this.#bodyBytes > maxBodyBytes) controller.abort(lostConnection());
  }

  onResponseEnd(): void {
    this.#completed += 1;
    this.#stopTimer();
    if (!this.#isClosed) this.#events.onFree(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const isUnanswered = this.#completed > 0 && !this.#hasBegun && isConnectionLost(error);
    this.close(isUnanswered ? new UnansweredError(lost, { cause: error }) : asOutboundError(error));
  }

  /** If a request waits, undici connects again for it. */
  #onDisconnect(): void {
    if (this.#timer === undefined) this.close(lostConnection());
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#waiting?.signal?.reason;
    this.close(reason instanceof Error ? reason : new OutboundError('it was stopped'));
  };

  #takeWaiting(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.signal?.removeEventListener('abort', this.#onAbort);
    return waiting;
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const lost = 'the connection was lost';
export const lostConnection = (): OutboundError => new OutboundError(lost);
const tookTooLong = (): OutboundError => new OutboundError('it took too long');
