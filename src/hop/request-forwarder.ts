import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Cluster, ClusterNode } from '../cluster/cluster.ts';
import { awaitChange } from './await-change.ts';
import type { NodeChannels } from './channel/node-channels.ts';
import { type Hop, hopHeader, signHop } from './hop-header.ts';
import type { NodeConnections } from './node-connections.ts';
import { passedHeaders, passedHeadersOf } from './passed-headers.ts';
import { type Passed, PassedRequest, type PassOutcome } from './passed-request.ts';
import { PassedUpgrade, type UpgradeTaker } from './passed-upgrade.ts';
import { isShort, readShortBody } from './read-short-body.ts';

/** A request of a caller, on its way to the node that answers it. */
export interface PassableRequest {
  raw: IncomingMessage;
  response: ServerResponse;
  /** What decides who answers: the ID of a session, or another text that has a partition. */
  subject: string;
  reqId: string;
  /** The caller's address. */
  client: string;
  /** What the other node says of it, if another node has passed it here. */
  hop: Hop | undefined;
  /** Its next owner may get it, too, if it is not known what the one that is gone did of it. */
  mayRepeat: boolean;
  /** Its body is a file, or was read already. Default: it is read if it is short, and passed on as it comes if it is not. */
  body?: 'stream' | Buffer | undefined;
  /** It asks for a WebSocket. */
  upgrade?: UpgradeTaker | undefined;
  /** The node's name, right before its response is passed on. */
  onAnswer: (node: string) => void;
}

/**
 * - `here`: this process answers; `body` is what was read of the request meanwhile
 * - `answered`: another node has answered
 * - `elsewhere`: another node has passed it here, and this one must not pass it on
 * - `left`: its caller has left
 * - `late`: its session had no owner for all the time
 * - `lost`: it reached its owner, which is gone. What it did is not known
 */
export type Passing =
  | { kind: 'here'; body: Buffer | undefined }
  | { kind: 'answered' | 'elsewhere' | 'left' | 'late' | 'lost' };

export interface RequestForwarderDeps {
  cluster: Cluster;
  /** `CLUSTER_KEY` */
  clusterKey: string;
  connections: NodeConnections;
  channels: NodeChannels;
  clock: Clock;
  /** Called for each attempt. */
  onForwarded: (outcome: PassOutcome) => void;
}

/** CL5: while a session changes hands, a request waits for so long. */
const maxRequestWaitMs = 5_000;
/** After a node said that it does not have the session, or was not reached: what this one knows may be older. */
const lookAgainMs = 100;
/** A node that has lost a session ends what it does for it, and answers; one that is gone does not. */
const silentMs = 3_000;
const watchMs = 500;

/** A request with this method changes nothing: repeating it does no harm. */
export const isSafe = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

interface InFlight {
  subject: string;
  node: ClusterNode;
  passed: Passed;
  /** Since when the node is not the owner, by the clock's `elapsed()`. */
  movedAt: number | undefined;
}

/** Passes requests to the nodes that own their sessions (ADR 21). */
export class RequestForwarder {
  readonly #deps: RequestForwarderDeps;
  readonly #inFlight = new Set<InFlight>();
  #isWatching = false;
  #isEnding = false;

  constructor(deps: RequestForwarderDeps) {
    this.#deps = deps;
  }

  /** Whether this process answers for it now, which is nearly always so behind a balancer that knows the nodes. */
  isHere(subject: string): boolean {
    return this.#deps.cluster.placeOf(subject).kind === 'here';
  }

  async pass(request: PassableRequest): Promise<Passing> {
    const { cluster, clock } = this.#deps;
    const { raw, response, hop, subject } = request;
    let until = clock.elapsed() + (hop?.waitMs ?? maxRequestWaitMs);
    const isStream = request.body === 'stream' || (request.body === undefined && !isShort(raw));
    let body = request.body instanceof Buffer ? request.body : undefined;
    let isRead = body !== undefined;
    while (!response.destroyed) {
      if (this.#isEnding && request.upgrade !== undefined) return { kind: 'late' };
      const place = cluster.placeOf(subject);
      if (place.kind === 'here') return { kind: 'here', body };
      if (place.kind === 'there') {
        if (hop !== undefined) return { kind: 'elsewhere' };
        if (!isRead && !isStream) {
          const read = await readShortBody(raw);
          if (read === 'left') break;
          body = read;
        }
        isRead = true;
        const waitMs = Math.max(0, until - clock.elapsed());
        const sent = await this.#send(request, place.node, isStream ? unreadBodyOf(raw) : body, waitMs);
        const { outcome } = sent;
        // The time that its owner has worked on it, it has not waited for one.
        if (sent.isBegun) until = clock.elapsed() + maxRequestWaitMs;
        if (outcome === 'answered') return { kind: 'answered' };
        const isDoubtful = outcome === 'lost' && !request.mayRepeat;
        // What was read of a stream is gone. A node that was not reached has read nothing of it.
        if (isDoubtful || (isStream && outcome !== 'unreached')) return { kind: isDoubtful ? 'lost' : 'late' };
      }
      const leftMs = until - clock.elapsed();
      if (leftMs <= 0) return { kind: 'late' };
      await awaitChange(cluster, clock, place.kind === 'there' ? Math.min(leftMs, lookAgainMs) : leftMs);
    }
    return { kind: 'left' };
  }

  async #send(
    { raw, response, subject, reqId, client, upgrade, onAnswer }: PassableRequest,
    node: ClusterNode,
    body: Buffer | AsyncIterable<Buffer> | undefined,
    waitMs: number,
  ): Promise<{ outcome: PassOutcome; isBegun: boolean }> {
    const { cluster, clusterKey, clock, connections, channels, onForwarded } = this.#deps;
    const { method = 'GET', url = '/' } = raw;
    const target = { method, url };
    const onHead = (): void => onAnswer(node.name);
    const isStream = body !== undefined && !(body instanceof Buffer);
    // Its answer is whole, and short.
    const isCommand = upgrade === undefined && !isStream && !isSafe(method);
    const channel = isCommand ? channels.to(node) : undefined;
    let passed: Passed;
    if (channel !== undefined && !isStream) {
      const headers = passedHeadersOf(raw.headers, body);
      passed = channel.pass({ ...target, headers, reqId, client, waitMs, body, response, onHead });
    } else {
      const hop: Hop = { from: cluster.self.name, to: node.name, at: clock.now(), reqId, client, waitMs };
      const headers = passedHeaders(raw.rawHeaders, isStream);
      headers.push(hopHeader, signHop(clusterKey, hop, target));
      if (upgrade === undefined) {
        const request = new PassedRequest(response, onHead);
        connections.dispatch(node, { method, path: url, headers, body: body ?? null }, request);
        passed = request;
      } else passed = new PassedUpgrade(node, clock, { path: url, headers, response, upgrade, onHead });
    }
    const inFlight: InFlight = { subject, node, passed, movedAt: undefined };
    this.#inFlight.add(inFlight);
    if (this.#isEnding) passed.endStream();
    this.#watch();
    const outcome = await passed.outcome;
    this.#inFlight.delete(inFlight);
    if (isCommand && channel === undefined && outcome === 'answered') channels.open(node);
    onForwarded(outcome);
    return { outcome, isBegun: passed.isBegun || outcome === 'lost' };
  }

  /** This process ends: so do streams of events and WebSockets, which would never end by themselves. None begins from now on. */
  endStreams(): void {
    this.#isEnding = true;
    for (const { passed } of this.#inFlight) passed.endStream();
  }

  /** Ends requests whose node has lost their session and says nothing more: it stands still, or cannot be reached. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#deps.clock.setTimeout(() => {
      this.#isWatching = false;
      for (const inFlight of this.#inFlight) this.#look(inFlight);
      if (this.#inFlight.size > 0) this.#watch();
    }, watchMs);
  }

  #look(inFlight: InFlight): void {
    const { cluster, clock } = this.#deps;
    const place = cluster.placeOf(inFlight.subject);
    const isOwner = place.kind === 'there' && place.node.name === inFlight.node.name;
    const now = clock.elapsed();
    inFlight.movedAt = isOwner ? undefined : (inFlight.movedAt ?? now);
    if (inFlight.movedAt !== undefined && now - inFlight.movedAt >= silentMs) {
      inFlight.passed.abort(new Error('the session has moved'));
    }
  }
}

/**
 * A body that is passed on as it comes. Nothing of it is read before the other node has taken the connection, so that it can
 * still be passed to another one. Who stops reading it leaves the request, and with it the caller's connection, as it is.
 */
const unreadBodyOf = (raw: IncomingMessage): AsyncIterable<Buffer> => raw.iterator({ destroyOnReturn: false });
