import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { MtprotoConnection } from '../connection/mtproto-connection.ts';

/** One connection does not use the whole bandwidth; Telegram's own apps open several as well. */
const maxConnections = 2;
/** Keeps a connection busy while an answer is on its way; parts of files are large. */
const maxRequestsEach = 4;
/** Files are often opened one after the other. */
const idleMs = 60_000;

/** A connection in use by one request, and perhaps by others. */
export interface Lent {
  readonly wire: MtprotoConnection;
}

interface Connection extends Lent {
  requests: number;
  idle: TimerHandle | undefined;
}

interface Waiting {
  give(connection: Connection): void;
  fail(error: unknown): void;
}

/** The pool of connections for files to one data centre, opened on demand and closed when idle. */
export class FileConnectionPool {
  readonly #clock: Clock;
  readonly #open: () => Promise<MtprotoConnection>;
  readonly #connections = new Set<Connection>();
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
        give: (connection) => {
          settle();
          resolve(connection);
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
    const connection = lent as Connection;
    connection.requests -= 1;
    this.#serve();
    this.#restIfIdle(connection);
  }

  close(reason: Error): void {
    this.#closed = reason;
    for (const { wire } of this.#connections) wire.close();
    for (const waiting of this.#waiting) waiting.fail(reason);
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      const connection = this.#freest();
      if (connection === undefined) break;
      if (connection.idle !== undefined) this.#clock.clearTimeout(connection.idle);
      connection.idle = undefined;
      connection.requests += 1;
      waiting.give(connection);
    }
    if (this.#waiting.size > 0 && this.#connections.size < maxConnections && !this.#isOpening) this.#openAnother();
  }

  #freest(): Connection | undefined {
    let freest: Connection | undefined;
    for (const connection of this.#connections) {
      if (connection.requests < (freest?.requests ?? maxRequestsEach)) freest = connection;
    }
    return freest;
  }

  #openAnother(): void {
    this.#isOpening = true;
    this.#open().then(
      (wire) => {
        this.#isOpening = false;
        this.#add(wire);
      },
      (error: unknown) => {
        this.#isOpening = false;
        // Another connection exists, whose requests end sooner or later.
        if (this.#connections.size > 0) return;
        for (const waiting of this.#waiting) waiting.fail(error);
      },
    );
  }

  #add(wire: MtprotoConnection): void {
    const connection: Connection = { wire, requests: 0, idle: undefined };
    this.#connections.add(connection);
    void wire.ended.then(() => {
      this.#connections.delete(connection);
      if (connection.idle !== undefined) this.#clock.clearTimeout(connection.idle);
      this.#serve();
    });
    if (this.#closed !== undefined) wire.close();
    this.#serve();
    this.#restIfIdle(connection);
  }

  #restIfIdle(connection: Connection): void {
    if (connection.requests > 0 || connection.idle !== undefined || !this.#connections.has(connection)) return;
    connection.idle = this.#clock.setTimeout(() => connection.wire.close('idle'), idleMs);
  }
}
