import type { Socket } from 'node:net';
import { LightAbort, type LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Dial, Server } from './connector.ts';
import { type AnswerWait, lostConnection, PostConnection, tookTooLong, UnansweredError } from './post-connection.ts';
import type { RequestUrl } from './request-url.ts';
import type { PostResponse } from './response-head.ts';

/**
 * Connections that are kept and used again. Of one origin the last one that became free comes first: those that are not
 * needed any more grow old and are closed.
 */
export class Connections {
  readonly #dial: Dial;
  readonly #clock: Clock;
  readonly #idle = new Map<string, PostConnection[]>();
  readonly #open = new Set<PostConnection>();
  readonly #dialling = new Set<LightAbort>();
  #isClosed = false;

  constructor(dial: Dial, clock: Clock) {
    this.#dial = dial;
    this.#clock = clock;
  }

  /**
   * Sends a request over a connection that nobody uses, or a new one. A server may be closing the one that rested just now:
   * where it says nothing at all, the request goes out once more, over a new one.
   * @throws {OutboundError} @throws the signal's reason
   */
  async ask(url: RequestUrl, request: string | Uint8Array, wait: AnswerWait): Promise<PostResponse> {
    const idle = this.#takeIdle(url.origin);
    if (idle !== undefined) {
      try {
        return await idle.ask(request, wait);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
      }
    }
    return await this.#askAnew(url, request, wait);
  }

  /** Cuts off what is under way; nothing is asked any more. */
  close(): void {
    this.#isClosed = true;
    for (const dialling of this.#dialling) dialling.abort(lostConnection());
    for (const connection of this.#open) connection.close();
  }

  #takeIdle(origin: string): PostConnection | undefined {
    const idle = this.#idle.get(origin) ?? [];
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (!found.isStale) return found;
      found.close();
    }
    return undefined;
  }

  async #askAnew(
    { origin, server }: RequestUrl,
    request: string | Uint8Array,
    wait: AnswerWait,
  ): Promise<PostResponse> {
    const socket = await this.#connect(server, wait);
    if (this.#isClosed) {
      socket.destroy();
      throw lostConnection();
    }
    const connection = new PostConnection(socket, this.#clock, {
      onFree: () => this.#keep(origin, connection),
      onClosed: () => this.#forget(origin, connection),
    });
    this.#open.add(connection);
    return await connection.ask(request, wait);
  }

  async #connect(server: Server, { until, signal }: AnswerWait): Promise<Socket> {
    if (this.#isClosed) throw lostConnection();
    const dialling = new LightAbort();
    this.#dialling.add(dialling);
    const work = (given: LightAbortSignal): Promise<Socket> => {
      given.addEventListener('abort', () => dialling.abort(given.reason as Error));
      return this.#dial(server, dialling);
    };
    try {
      return await withTimeout(this.#clock, until - this.#clock.now(), tookTooLong, work, signal);
    } finally {
      this.#dialling.delete(dialling);
    }
  }

  #keep(origin: string, connection: PostConnection): void {
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [connection]);
    else idle.push(connection);
  }

  #forget(origin: string, connection: PostConnection): void {
    this.#open.delete(connection);
    const idle = this.#idle.get(origin);
    if (idle === undefined) return;
    const index = idle.indexOf(connection);
    if (index !== -1) idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(origin);
  }
}
