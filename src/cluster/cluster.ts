import type { Ownership } from '../../actors/ports/ownership.ts';

/** A gateway that shares its store with others. */
export interface ClusterNode {
  /** Unique, and another one after each start. */
  readonly name: string;
  /** `NODE_URL`: where the other nodes reach it. */
  readonly url: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The node that answers for a session. */
export type SessionPlace =
  | { readonly kind: 'here' }
  | { readonly kind: 'there'; readonly node: ClusterNode }
  /** It changes hands, or its owner is dead and not replaced yet. */
  | { readonly kind: 'changing' };

/** A node, for people. */
export interface NodeReport extends ClusterNode {
  readonly isSelf: boolean;
  readonly partitions: readonly number[];
  /** Milliseconds since this process last heard of it. */
  readonly heardOfMsAgo: number;
}

/** The nodes of a store, as one of them sees them (CL1). */
export interface Cluster extends Ownership {
  readonly self: ClusterNode;
  /** Where requests for the session are answered now. */
  placeOf(sessionId: string): SessionPlace;
  /** The partitions that this process answers for now: all its parts have them. */
  served(): readonly number[];
  /** Resolves when the place of the session may have changed, or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** The live nodes, this one among them. */
  nodes(): readonly NodeReport[];
  /** Nodes that have said nothing for a life of a lease, until they are forgotten. Those that said that they leave are not among them. */
  silentNodes(): readonly NodeReport[];
}
