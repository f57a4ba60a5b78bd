import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Cluster, ClusterNode, NodeReport } from '../cluster/cluster.ts';
import { NodeAwayError, type NodeCalls } from './node-calls.ts';

export const seenPath = '/nodes/seen';

/** `POST /nodes/seen`: what a node is asked to wait for. */
export type SeenQuestion = {
  /** The views are to have the events up to this position, as decimal digits. */
  position?: string;
  /** The API keys are to be read to their end. */
  keys?: boolean;
};

/** Up to which position the node's views have the events, as decimal digits. */
export type SeenAnswer = {
  position: string;
};

export interface SeenEverywhereDeps {
  cluster: Pick<Cluster, 'nodes'>;
  calls: Pick<NodeCalls, 'call'>;
  clock: Clock;
}

/** A command waits for so long for the views of the other nodes (ADR 21). */
const maxWaitMs = 1_000;

/** What is known of the views of another node. */
interface Viewer {
  /** It has all up to this position. */
  position: bigint;
  /** The highest position that a command waits for. */
  wanted: bigint;
  asking: Promise<void> | undefined;
  /** When it did not answer, by the clock's `elapsed()`. */
  failedAt: number;
}

/** Waits until every node shows what was recorded here, so that callers read their own writes through any node. */
export class SeenEverywhere {
  readonly #deps: SeenEverywhereDeps;
  /** By the name of the node. */
  readonly #viewers = new Map<string, Viewer>();

  constructor(deps: SeenEverywhereDeps) {
    this.#deps = deps;
  }

  /** Resolves when all have the events up to the position, or after a second. A node that does not answer is left out until it is heard again. */
  async waitFor(position: bigint): Promise<void> {
    const nodes = this.#others();
    if (nodes.length === 0) return;
    await this.#patiently(Promise.all(nodes.map((node) => this.#follow(node, position))));
  }

  /** The same for API keys, which the nodes do not follow by their views. */
  async keysRead(): Promise<void> {
    const ask = (node: NodeReport): Promise<void> => this.#ask(node, this.#viewerOf(node.name), { keys: true });
    await this.#patiently(Promise.all(this.#others().map(ask)));
  }

  #others(): NodeReport[] {
    const now = this.#deps.clock.elapsed();
    const others = this.#deps.cluster.nodes().filter(({ isSelf }) => !isSelf);
    for (const name of this.#viewers.keys()) {
      if (!others.some((other) => other.name === name)) this.#viewers.delete(name);
    }
    return others.filter(({ name, heardOfMsAgo }) => now - heardOfMsAgo > this.#viewerOf(name).failedAt);
  }

  async #patiently(work: Promise<unknown>): Promise<void> {
    const late = (): NodeAwayError => new NodeAwayError('the views of another node are late');
    // What was recorded is recorded: only what another node shows is older for a moment.
    await withTimeout(this.#deps.clock, maxWaitMs, late, () => work).catch(() => undefined);
  }

  /** One question at a time, for all commands that wait. */
  async #follow(node: ClusterNode, position: bigint): Promise<void> {
    const viewer = this.#viewerOf(node.name);
    if (position > viewer.wanted) viewer.wanted = position;
    while (viewer.position < position) {
      viewer.asking ??= this.#ask(node, viewer, { position: String(viewer.wanted) }).finally(() => {
        viewer.asking = undefined;
      });
      await viewer.asking;
    }
  }

  /** @param viewer of the node. It may be forgotten meanwhile, if the node seems to be gone for a moment. */
  async #ask(node: ClusterNode, viewer: Viewer, question: SeenQuestion): Promise<void> {
    try {
      const answer = await this.#deps.calls.call<SeenAnswer>(node, seenPath, question, maxWaitMs);
      viewer.position = BigInt(answer.position);
      if (viewer.position < BigInt(question.position ?? 0))
        throw new NodeAwayError(`the views of ${node.name} are late`);
    } catch (error) {
      viewer.failedAt = this.#deps.clock.elapsed();
      throw error;
    }
  }

  #viewerOf(name: string): Viewer {
    const viewer = this.#viewers.get(name) ?? { position: 0n, wanted: 0n, asking: undefined, failedAt: -Infinity };
    this.#viewers.set(name, viewer);
    return viewer;
  }
}
