import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Json } from '../../actors/ports/event-store.ts';
import type { Cluster, ClusterNode } from '../cluster/cluster.ts';
import { hopHeader, signHop } from './hop-header.ts';
import type { NodeConnections } from './node-connections.ts';

/** A node does not answer, or not as it should. A later call may be answered. */
export class NodeAwayError extends Error {
  override name = 'NodeAwayError';
  readonly retryable = true;
}

/** The node is of an older version, which does not know the question. */
export class NotAskableError extends NodeAwayError {
  override name = 'NotAskableError';
}

/** The status with which a node says so: it has no such route. */
const noSuchRoute = 404;

export interface NodeCallsDeps {
  cluster: Pick<Cluster, 'self'>;
  /** `CLUSTER_KEY` */
  clusterKey: string;
  connections: NodeConnections;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
}

/** SHA-256, base64url: what a hop says of a body. */
export const digestOf = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64url');

/** What a node asks of another one for itself: `POST /nodes/…`, with JSON both ways. */
export class NodeCalls {
  readonly #deps: NodeCallsDeps;

  constructor(deps: NodeCallsDeps) {
    this.#deps = deps;
  }

  /** @param maxMs how long the answer may take, in milliseconds @throws {NotAskableError} @throws {NodeAwayError} */
  call<Answer extends Json>(node: ClusterNode, path: string, content: Json, maxMs: number): Promise<Answer> {
    const { cluster, clusterKey, clock, connections, random } = this.#deps;
    const body = JSON.stringify(content);
    const about = { from: cluster.self.name, to: node.name, at: clock.now(), reqId: random.uuid(), client: '' };
    const hop = { ...about, waitMs: maxMs, digest: digestOf(body) };
    const signed = signHop(clusterKey, hop, { method: 'POST', url: path });
    const headers = { 'content-type': 'application/json', [hopHeader]: signed };
    const late = (): NodeAwayError => new NodeAwayError(`node ${node.name} does not answer`);
    return withTimeout(clock, maxMs, late, (signal) => {
      const answer = new NodeAnswer<Answer>(node);
      signal.addEventListener('abort', () => answer.abort());
      connections.dispatch(node, { method: 'POST', path, headers, body }, answer);
      return answer.content;
    });
  }
}

class NodeAnswer<Answer extends Json> implements Dispatcher.DispatchHandler {
  readonly content: Promise<Answer>;
  readonly #node: ClusterNode;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #resolve!: (content: Answer) => void;
  #reject!: (error: Error) => void;
  #isAborted = false;

  constructor(node: ClusterNode) {
    this.#node = node;
    this.content = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error('it took too long'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const text = Buffer.concat(this.#chunks).toString();
    if (this.#status === 200) return this.#resolve(JSON.parse(text) as Answer);
    const RefusalError = this.#status === noSuchRoute ? NotAskableError : NodeAwayError;
    this.#reject(new RefusalError(`node ${this.#node.name} answered ${this.#status}: ${text}`));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(new NodeAwayError(`node ${this.#node.name} cannot be reached`, { cause: error }));
  }
}
