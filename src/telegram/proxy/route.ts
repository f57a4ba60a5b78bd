import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { DialAttempt } from '../connection/dialler.ts';
import type { DcAddress } from '../connection/network.ts';
import { type Proxy, readProxyUrl } from '../port/proxy-url.ts';
import type { ProxyError } from './proxy-error.ts';
import type { TunnelDeps } from './tunnel.ts';

/** A connection that is opened on a route. */
export interface Routed {
  /** Ends it. Resolves when its socket is closed, at the other end too if that answers in time. */
  retire(): Promise<void>;
  /** Resolves when its socket is closed. */
  readonly gone: Promise<void>;
}

/** The way of one connection through a proxy. */
export interface Way {
  readonly proxy: Proxy;
  readonly dial: TunnelDeps['dial'];
  /** What becomes of it says nothing to the sessions that connect directly. */
  readonly attempt: DialAttempt;
  /** The proxy carries no connection. */
  failed(error: ProxyError): void;
}

/**
 * How a session's connections reach Telegram: directly, or through its proxy. All of them go the same way: if that changes,
 * those that are open are closed before another is opened, so that Telegram never sees a key in two places.
 */
export class Route {
  readonly #read: () => Promise<string>;
  readonly #dial: TunnelDeps['dial'];
  readonly #connections = new Set<Routed>();
  readonly #listeners = new Set<() => void>();
  /** By data centre: how many of its addresses have failed one after the other. */
  readonly #failures = new Map<number, number>();
  #changes = 0;
  #cleared: Promise<unknown> = Promise.resolve();
  #url = '';

  /**
   * @param read the URL of the proxy, asked at each connection; empty: there is none. If it throws, nothing is opened.
   * @param dial opens a connection to a proxy
   */
  constructor(read: () => Promise<string>, dial: TunnelDeps['dial']) {
    this.#read = read;
    this.#dial = dial;
  }

  /** The URL of the proxy when it was last asked; empty: there is none. */
  get url(): string {
    return this.#url;
  }

  /** A route of its own through another proxy. */
  through(url: string): Route {
    return new Route(async () => url, this.#dial);
  }

  /**
   * Makes a connection that takes the session's way, once none of another way is open.
   * @param addresses of the data centre that it goes to
   * @param make does not wait: the connection belongs to the route before it opens
   * @throws what `read` throws, or the signal's reason
   */
  async take<C extends Routed>(
    addresses: readonly DcAddress[],
    signal: LightAbortSignal,
    make: (way: Way | undefined) => C,
  ): Promise<C> {
    for (;;) {
      const changes = this.#changes;
      await this.#cleared;
      const url = await this.#read();
      signal.throwIfAborted();
      if (changes !== this.#changes) continue;
      this.#url = url;
      const connection = make(url === '' ? undefined : this.#wayThrough(url, addresses));
      this.#connections.add(connection);
      void connection.gone.then(() => this.#connections.delete(connection));
      return connection;
    }
  }

  /** The proxy has changed: closes all connections. */
  change(): void {
    this.#changes += 1;
    this.#failures.clear();
    const closing = Array.from(this.#connections, (connection) => connection.retire());
    this.#cleared = Promise.all([this.#cleared, ...closing]);
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that takes it back */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @throws {Error} what is recorded is no proxy of a kind that is known: nothing may be opened */
  #wayThrough(url: string, addresses: readonly DcAddress[]): Way {
    const proxy = readProxyUrl(url);
    const [first] = addresses;
    if (proxy === undefined) throw new Error('the proxy has an unknown form');
    if (first === undefined) throw new Error('no address of the data centre is known');
    const { id } = first;
    const failures = this.#failures.get(id) ?? 0;
    let isPending = true;
    const settle = (hasFailed: boolean): void => {
      if (isPending && hasFailed) this.#failures.set(id, failures + 1);
      isPending = false;
    };
    return {
      proxy,
      dial: this.#dial,
      attempt: {
        address: addresses[failures % addresses.length] ?? first,
        answered: () => settle(false),
        get isPending() {
          return isPending;
        },
        tooMany: () => settle(true),
        refused: () => settle(true),
        withdrawn: () => settle(false),
        unroutable: () => settle(true),
        isUnroutable: false,
        silent: () => settle(true),
      },
      // Another address helps only if the proxy itself answers.
      failed: ({ reason }) => settle(reason === 'proxy-refused'),
    };
  }
}
