import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';

export const nodePrefix = 'node-';
/** `node-{name}`: the heartbeats of a node. */
export const nodeStream = (name: string): string => `${nodePrefix}${name}`;

/**
 * - `joining`: it takes no partition yet, but will in a moment
 * - `active`: it takes its share
 * - `leaving`: it gives its partitions up and takes none
 */
export type NodeState = 'joining' | 'active' | 'leaving';

/** A node is there. */
interface NodeSeen {
  url: string;
  version: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  state: NodeState;
  /** Life of its leases; if no other event follows in this time, it counts as gone. */
  lifeMs: number;
  /** The leases that it holds. Earlier versions do not tell. */
  leases?: LeaseRevisions;
}

/** Leases by their partitions: the revision of the last event of each. */
export interface LeaseRevisions {
  [partition: string]: number;
}

export type NodeEventContent =
  | { type: 'NodeSeen'; data: NodeSeen; metadata: NodeMetadata }
  | { type: 'NodeLeft'; data: object; metadata: NodeMetadata };

interface NodeMetadata {
  /** When, milliseconds since 1970: for people. */
  at: number;
}

const data = {
  NodeSeen: Type.Object({
    url: Type.String(),
    version: Type.String(),
    startedAt: Type.Number(),
    state: Type.Union([Type.Literal('joining'), Type.Literal('active'), Type.Literal('leaving')]),
    lifeMs: Type.Number({ minimum: 1 }),
    leases: Type.Optional(Type.Record(Type.String(), Type.Number())),
  }),
  NodeLeft: Type.Object({}),
};
const metadata = Type.Object({ at: Type.Number() });

/** Reads the events of `node-{name}`. */
export const nodeCodec = createEventCodec<NodeEventContent, typeof data, typeof metadata>({
  kind: 'node',
  upcasters: [],
  data,
  metadata,
});
