import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Dial } from './connector.ts';
import {
  lostConnection,
  PostConnection,
  type PostConnectionEvents,
  type PostRequest,
  type PostResponse,
  type ResponseWait,
  UnansweredError,
} from './post-connection.ts';

/** For one origin: enough for a large gateway (WH4: one attempt a session, and 128 more). */
const maxIdleConnections = 512;

/**
 * Keeps connections for reuse, with one request at a time on each. The one that became idle last is used first, so that
 * surplus ones time out. undici's own `Pool` keeps a client for each connection that it ever had, searches all of them for
 * each request, and does not say whether a connection is new.
 */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #clock: Clock;
  readonly #idle = new Map<string, PostConnection[]>();
  readonly #open = new Set<PostConnection>();
  #isClosed = false;

  constructor(dial: Dial, clock: Clock) {
    this.#dial = dial;
    this.#clock = clock;
  }

  /**
   * Posts over an idle connection, or a new one. If the endpoint closes the idle one before any byte of a response, the
   * request is repeated at once over a new one: endpoints close idle connections, and the request may cross that.
   * @throws {OutboundError} @throws {TypeError} HTTP has no form for a header @throws the signal's reason
   */
  async post(origin: string, request: PostRequest, wait: ResponseWait): Promise<PostResponse> {
    const idle = await this.#takeIdle(origin);
    if (idle !== undefined) {
      try {
        return await idle.post(request, wait);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
      }
    }
    return await this.#connection(origin).post(request, wait);
  }

  /** Aborts the requests in flight, and refuses later ones. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) connection.close(lostConnection());
  }

  async #takeIdle(origin: string): Promise<PostConnection | undefined> {
    for (;;) {
      const found = this.#idle.get(origin)?.pop();
      if (found === undefined) return undefined;
      // Node reports what TLS has sent one turn later: the response may be here before.
      if (found.hasUnsentBytes) await setImmediate();
      if (found.isClosed) continue;
      if (!found.hasUnsentBytes) return found;
      found.close(lostConnection());
    }
  }

  #connection(origin: string): PostConnection {
    if (this.#isClosed) throw lostConnection();
    const events: PostConnectionEvents = {
      onFree: (connection) => this.#keep(origin, connection),
      onClosed: (connection) => this.#forget(origin, connection),
    };
    const connection = new PostConnection(origin, this.#dial, this.#clock, events);
    this.#open.add(connection);
    return connection;
  }

  #keep(origin: string, connection: PostConnection): void {
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [connection]);
    else if (idle.length < maxIdleConnections) idle.push(connection);
    else connection.close(lostConnection());
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
