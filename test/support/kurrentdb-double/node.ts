import { type Metadata, type ServerWritableStream, status } from '@grpc/grpc-js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { AppendMemory } from './append-memory.ts';
import type { EventLog } from './event-log.ts';
import type { Faults } from './faults.ts';
import { failure } from './wire.ts';

export interface Endpoint {
  host: string;
  port: number;
}

/** What the calls of one server share. */
export interface KurrentNode {
  log: EventLog;
  /** Gone when the node stops. */
  memory: AppendMemory;
  faults: Faults;
  /** The leader, where this node is not the one. */
  leader: Endpoint | undefined;
  /** `Basic …`, where only that is let in. */
  authorization: string | undefined;
  /** How often each kind of call has come. */
  calls: Record<string, number>;
  /** The streams that were read, each time; `$all` has no name. Subscriptions do not count. */
  streamsRead: string[];
  /** How many events subscriptions have gone past. */
  looked: number;
  /** Subscriptions that are open. */
  subscriptions: Set<ReadCall>;
}

/** By port: the nodes that listen. */
const running = new Map<number, KurrentNode>();

export const nodeListens = (port: number, node: KurrentNode): void => void running.set(port, node);
export const nodeStops = (port: number): void => void running.delete(port);

/**
 * The node that writes: a follower passes writes on to its leader.
 * @throws {ServiceError} the leader does not run.
 */
export function writerOf(node: KurrentNode): KurrentNode {
  if (node.leader === undefined) return node;
  const leader = running.get(node.leader.port);
  if (leader === undefined) throw failure(status.UNAVAILABLE, 'Server Is Not Ready');
  return leader;
}

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/**
 * Who is let in, in the order of the real node.
 * @throws {ServiceError} the status that the call ends with.
 */
export function admit(node: KurrentNode, kind: string, metadata: Metadata): void {
  node.calls[kind] = (node.calls[kind] ?? 0) + 1;
  if (node.faults.notReady) throw failure(status.UNAVAILABLE, 'Server Is Not Ready');
  if (node.authorization !== undefined && metadata.get('authorization')[0] !== node.authorization) {
    throw failure(status.UNAUTHENTICATED, 'Unauthenticated');
  }
  if (node.leader !== undefined && metadata.get('requires-leader')[0] === 'true') {
    throw failure(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': node.leader.host,
      'leader-endpoint-port': String(node.leader.port),
    });
  }
}
