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

/** Of one origin: as many as post to it at once in a large gateway (WH4: one a session, and 128 more). */
const maxIdleConnections = 512;

/**
 * Connections that are kept and used again, one request at a time on each. Of one origin the one that became free last is
 * used first, so that those that are no longer needed time out. undici's own `Pool` keeps a client for each connection
 * that there ever was, looks through all of them for each request, and does not say whether a connection is a new one.
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
   * Posts over an idle connection, or a new one. If the endpoint closes the idle one before anything of a response has
   * come, the request is sent again at once, over a new one: endpoints close connections that rest, and a request may be
   * on its way by then.
   * @throws {OutboundError} @throws {TypeError} HTTP has no form for a header @throws the signal's reason
   */
  async post(origin: string, request: PostRequest, wait: ResponseWait): Promise<PostResponse> {
    const idle = this.#takeIdle(origin);
    if (idle !== undefined) {
      try {
        return await idle.post(request, wait);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
      }
    }
    return await this.#connection(origin).post(request, wait);
  }

  /** Cuts off the requests in flight. Later ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) connection.close(lostConnection());
  }

  #takeIdle(origin: string): PostConnection | undefined {
    const idle = this.#idle.get(origin) ?? [];
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (!found.hasUnsentBytes) return found;
      found.close(lostConnection());
    }
    return undefined;
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
