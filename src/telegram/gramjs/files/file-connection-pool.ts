import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { MtprotoConnection } from '../connection/mtproto-connection.ts';

/** One connection does not use the whole bandwidth; Telegram's own apps open several as well. */
export const maxConnections = 2;
/** Keeps a connection busy while an answer is on its way; parts of files are large. */
export const maxRequestsEach = 4;
/** Files are often opened one after the other. */
const idleMs = 60_000;

/** A connection in use by one request, and perhaps by others. */
export interface Lent {
  readonly connection: MtprotoConnection;
}

interface PooledConnection extends Lent {
  requests: number;
  idle: TimerHandle | undefined;
}

interface Waiting {
  give(pooled: PooledConnection): void;
  fail(error: unknown): void;
}

/** The pool of connections for files to one data centre, opened on demand and closed when idle. */
export class FileConnectionPool {
  readonly #clock: Clock;
  readonly #open: () => Promise<MtprotoConnection>;
  readonly #connections = new Set<PooledConnection>();
  readonly #waiting = new Set<Waiting>();
  #isOpening = false;
  #closed: Error | undefined;

  /** @param open opens a connection that is ready for requests; calls do not overlap */
  constructor(clock: Clock, open: () => Promise<MtprotoConnection>) {
    this.#clock = clock;
    this.#open = open;
  }

  /**
   * A connection with room for a request. It must be given back. @throws why none can be opened, or the signal's reason
   */
  take(signal: LightAbortSignal): Promise<Lent> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        give: (pooled) => {
          settle();
          resolve(pooled);
        },
        fail: (error) => {
          settle();
          reject(error);
        },
      };
      const onAbort = (): void => waiting.fail(signal.reason);
      if (this.#closed !== undefined || signal.aborted) return waiting.fail(this.#closed ?? signal.reason);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(waiting);
      this.#serve();
    });
  }

  giveBack(lent: Lent): void {
    const pooled = lent as PooledConnection;
    pooled.requests -= 1;
    this.#serve();
    this.#restIfIdle(pooled);
  }

  close(reason: Error): void {
    this.#closed = reason;
    for (const { connection } of this.#connections) connection.close();
    for (const waiting of this.#waiting) waiting.fail(reason);
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      const pooled = this.#freest();
      if (pooled === undefined) break;
      if (pooled.idle !== undefined) this.#clock.clearTimeout(pooled.idle);
      pooled.idle = undefined;
      pooled.requests += 1;
      waiting.give(pooled);
    }
    if (this.#waiting.size > 0 && this.#connections.size < maxConnections && !this.#isOpening) this.#openAnother();
  }

  #freest(): PooledConnection | undefined {
    let freest: PooledConnection | undefined;
    for (const pooled of this.#connections) {
      if (pooled.requests < (freest?.requests ?? maxRequestsEach)) freest = pooled;
    }
    return freest;
  }

  #openAnother(): void {
    this.#isOpening = true;
    this.#open().then(
      (connection) => {
        this.#isOpening = false;
        this.#add(connection);
      },
      (error: unknown) => {
        this.#isOpening = false;
        // Another connection exists, whose requests end sooner or later.
        if (this.#connections.size > 0) return;
        for (const waiting of this.#waiting) waiting.fail(error);
      },
    );
  }

  #add(connection: MtprotoConnection): void {
    const pooled: PooledConnection = { connection, requests: 0, idle: undefined };
    this.#connections.add(pooled);
    void connection.ended.then(() => {
      this.#connections.delete(pooled);
      if (pooled.idle !== undefined) this.#clock.clearTimeout(pooled.idle);
      this.#serve();
    });
    if (this.#closed !== undefined) connection.close();
    this.#serve();
    this.#restIfIdle(pooled);
  }

  #restIfIdle(pooled: PooledConnection): void {
    if (pooled.requests > 0 || pooled.idle !== undefined || !this.#connections.has(pooled)) return;
    pooled.idle = this.#clock.setTimeout(() => pooled.connection.close('idle'), idleMs);
  }
}
