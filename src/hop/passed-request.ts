import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { passedResponseHeaders } from './passed-headers.ts';

/**
 * What became of a request that was passed to another node:
 * - `answered`: the caller has its response, or a part of it, or has left
 * - `moved`: the node does not have the session (421)
 * - `unreached`: the node took no connection, and has nothing of the request
 * - `lost`: the connection broke before a response began
 */
export type PassOutcome = 'answered' | 'moved' | 'unreached' | 'lost';

/** The status with which a node says so. */
export const misdirected = 421;

/** A header of that response: the node had the session when the request came, and has worked on it. */
export const begunHeader = 'x-gateway-begun';

/** Why a request at another node is ended. */
export const callerHasLeft = (): Error => new Error('the caller has left');

/** A request that another node has. */
export interface Passed {
  readonly outcome: Promise<PassOutcome>;
  /** Whether the node that does not have the session any more has worked on it. */
  readonly isBegun: boolean;
  /** Ends it: the caller's connection too, if its response has begun. */
  abort(reason: Error): void;
  /** Ends it if it is a stream of events or a WebSocket. */
  endStream(): void;
}

/** One request at another node: its handler of undici's events, which passes the response on as it comes. */
export class PassedRequest implements Passed, Dispatcher.DispatchHandler {
  readonly outcome: Promise<PassOutcome>;
  readonly #response: ServerResponse;
  readonly #onHead: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settle!: (outcome: PassOutcome) => void;
  #isMoved = false;
  #isBegun = false;
  #gone: Error | undefined;
  #isStream = false;
  #mayStream = true;
  /** Of the response's body, if they are known. */
  #bytesLeft = Number.NaN;

  /** @param response to a caller who has not left @param onHead called right before the head of the response is passed on */
  constructor(response: ServerResponse, onHead: () => void) {
    this.#response = response;
    this.#onHead = onHead;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    response.once('close', this.#onClose);
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  abort(reason: Error): void {
    this.#gone = reason;
    this.#controller?.abort(reason);
  }

  endStream(): void {
    this.#mayStream = false;
    if (!this.#isStream) return;
    this.#response.end();
    this.abort(new Error('the gateway ends'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#gone !== undefined) controller.abort(this.#gone);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#isMoved = status === misdirected;
    this.#isBegun = this.#isMoved && headers[begunHeader] !== undefined;
    if (this.#isMoved) return;
    this.#onHead();
    // The rest of its body is not read.
    if (!this.#response.req.complete) this.#response.shouldKeepAlive = false;
    this.#isStream = String(headers['content-type']).startsWith('text/event-stream');
    this.#bytesLeft = Number(headers['content-length']);
    this.#response.writeHead(status, passedResponseHeaders(headers));
    // The first event of a stream may be long in coming.
    if (Number.isNaN(this.#bytesLeft)) this.#response.flushHeaders();
    if (!this.#mayStream) this.endStream();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isMoved) return;
    this.#bytesLeft -= chunk.length;
    // Head and body in one write.
    if (this.#bytesLeft === 0) this.#response.end(chunk);
    else if (!this.#response.write(chunk)) {
      controller.pause();
      this.#response.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    if (!this.#isMoved && !this.#response.writableEnded) this.#response.end();
    this.#finish(this.#isMoved ? 'moved' : 'answered');
  }

  onResponseError(): void {
    const hasBegun = this.#response.headersSent;
    // What is missing must not look like the end.
    if (hasBegun && !this.#response.writableFinished) this.#response.destroy();
    if (hasBegun || this.#response.destroyed) this.#finish('answered');
    else this.#finish(this.#controller === undefined ? 'unreached' : 'lost');
  }

  readonly #onClose = (): void => {
    if (!this.#response.writableFinished) this.abort(callerHasLeft());
  };

  #finish(outcome: PassOutcome): void {
    this.#response.off('close', this.#onClose);
    this.#settle(outcome);
  }
}
