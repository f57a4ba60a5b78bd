import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { ClusterNode } from '../cluster/cluster.ts';

/** A node that does not take a connection within this time is not there. */
export const connectTimeoutMs = 1_000;
/**
 * A connection that has been silent for this time is probed, each second: after ten probes without an answer it breaks
 * (https://nodejs.org/api/net.html#socketsetkeepaliveenable-initialdelay). What waits for a response is lost then.
 */
const probeAfterMs = 5_000;
/** A gateway keeps an idle connection for 72 s and says so. */
const keepAliveMaxMs = 60_000;
const keepAliveMarginMs = 2_000;

export interface NodeRequest extends Omit<Dispatcher.DispatchOptions, 'origin' | 'body'> {
  /** An iterable is not begun before the node has taken the connection. */
  body: string | Buffer | AsyncIterable<Buffer> | null;
}

const connectTo = buildConnector({ timeout: connectTimeoutMs, keepAliveInitialDelay: probeAfterMs });

/** The kept connections to the other nodes. */
export class NodeConnections {
  readonly #agent = new Agent({
    // Without a name of its own, a connection has that of the URL in TLS; an IP address has none (RFC 6066, 3).
    connect: (options, done) => connectTo({ ...options, servername: '' }, done),
    // A response may take minutes, and a stream of events never ends: the forwarder finds out whether its node is gone.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMaxMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
  });

  dispatch({ url }: Pick<ClusterNode, 'url'>, request: NodeRequest, handler: Dispatcher.DispatchHandler): void {
    // By default it would be that of the `Host` header, which is the caller's, and a connection ends when it differs. No name is
    // sent in TLS: see above.
    const options = { ...request, origin: url, servername: url };
    // Its types lack the iterables that its documentation names.
    this.#agent.dispatch(options as Dispatcher.DispatchOptions, handler);
  }

  /** Ends what is in flight. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
