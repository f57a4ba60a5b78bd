import { Agent, type Dispatcher } from 'undici';
import type { ClusterNode } from '../cluster/cluster.ts';

/** A node that does not take a connection within this time is not there. */
const connectTimeoutMs = 1_000;
/** A gateway keeps an idle connection for 72 s and says so. */
const keepAliveMaxMs = 60_000;
const keepAliveMarginMs = 2_000;

export type NodeRequest = Omit<Dispatcher.DispatchOptions, 'origin'>;

/** The kept connections to the other nodes. */
export class NodeConnections {
  readonly #agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    // A response may take minutes, and a stream of events never ends: the forwarder finds out whether its node is gone.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMaxMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
  });

  dispatch({ url }: Pick<ClusterNode, 'url'>, request: NodeRequest, handler: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch({ ...request, origin: url }, handler);
  }

  /** Ends what is in flight. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
