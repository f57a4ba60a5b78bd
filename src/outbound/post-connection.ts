import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { clientOptions } from './client-options.ts';
import { asConnector, type Dial } from './connector.ts';
import { asOutboundError, improperHttp, isConnectionLost, OutboundError } from './outbound-error.ts';

/** What of a response's body is read, so that its connection can be used again; its content is not looked at. */
const maxBodyBytes = 64 * 1024;
/** Heads of the kind 1xx before the response; no known server sends more than two. */
const maxInterimHeads = 10;

export interface PostRequest {
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

/** How long a response may take, its body included, and what may end that sooner. */
export interface ResponseWait {
  /** Milliseconds since 1970. */
  until: number;
  signal: LightAbortSignal | undefined;
}

/** The endpoint closed a kept connection, and nothing of a response had come. */
export class UnansweredError extends OutboundError {}

export interface PostConnectionEvents {
  /** The response has come to its end: another request may follow. */
  onFree: (connection: PostConnection) => void;
  /** Once. The connection is of no more use. */
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
  #socket: Socket | undefined;
  /** Responses that have come over this socket, each to its end. */
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
    const connect = asConnector(dial, this.#dialling, (socket) => {
      this.#socket = socket;
      this.#completed = 0;
    });
    this.#client = new Client(origin, { ...clientOptions, connect });
    this.#client.on('disconnect', () => this.#onDisconnect());
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
      this.#waiting = { signal, resolve, reject };
      this.#hasBegun = false;
      this.#interimHeads = 0;
      this.#bodyBytes = 0;
      this.#timer = this.#clock.setTimeout(() => this.close(tookTooLong()), until - this.#clock.now());
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

  // By this method undici tells handlers of this kind from its older ones.
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

  /** If there is a request by now, undici connects again for it. */
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
