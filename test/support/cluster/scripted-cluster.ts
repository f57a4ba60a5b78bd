import type { Cluster, ClusterNode, NodeReport, SessionPlace } from '../../../src/cluster/cluster.ts';
import { ClusterChanges } from '../../../src/cluster/cluster-changes.ts';
import { partitionCount } from '../../../src/cluster/partitions.ts';

/** Who owns what, as the test says: a key is a session's ID, or another text that belongs to a node. */
export class Owners {
  readonly #owners = new Map<string, string | undefined>();
  readonly #members: ScriptedCluster[] = [];

  /** What no other owner is said of belongs to the first node. */
  of(key: string): string | undefined {
    return this.#owners.has(key) ? this.#owners.get(key) : this.#members[0]?.self.name;
  }

  /** @param name undefined: the key changes hands */
  set(key: string, name: string | undefined): void {
    this.#owners.set(key, name);
    for (const { changes } of this.#members) changes.happened();
  }

  get members(): ScriptedCluster[] {
    return this.#members;
  }
}

/** One node among several, without leases: the test says what belongs to whom. */
export class ScriptedCluster implements Cluster {
  readonly self: ClusterNode & { url: string };
  readonly changes = new ClusterChanges();
  readonly #owners: Owners;
  /** Milliseconds since others heard of it. */
  heardOfMsAgo = 0;
  /** Its heartbeat has ended. */
  isSilent = false;
  /** Those that it says it serves, whoever owns the sessions. The first node serves all. */
  partitions: readonly number[];

  constructor(name: string, owners: Owners, startedAt: number) {
    this.self = { name, url: '', version: '1.0.0', startedAt };
    this.#owners = owners;
    this.partitions = owners.members.length === 0 ? Array.from({ length: partitionCount }, (_, at) => at) : [];
    owners.members.push(this);
  }

  owns(sessionId: string): boolean {
    return this.#owners.of(sessionId) === this.self.name;
  }

  ownsPartition(number: number): boolean {
    return this.partitions.includes(number);
  }

  epochOf(): number {
    return 1;
  }

  newSessionId(draw: () => string, externalKey?: string): string | undefined {
    if (externalKey !== undefined && !this.owns(externalKey)) return undefined;
    const id = draw();
    this.#owners.set(id, this.self.name);
    return id;
  }

  placeOf(sessionId: string): SessionPlace {
    const name = this.#owners.of(sessionId);
    if (name === this.self.name) return { kind: 'here' };
    const node = this.#owners.members.find(({ self }) => self.name === name)?.self;
    return node === undefined ? { kind: 'changing' } : { kind: 'there', node };
  }

  served(): readonly number[] {
    return this.partitions;
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.changes.next(signal);
  }

  nodes(): NodeReport[] {
    return this.#reports(({ isSilent }) => !isSilent);
  }

  silentNodes(): NodeReport[] {
    return this.#reports(({ isSilent }) => isSilent);
  }

  #reports(are: (member: ScriptedCluster) => boolean): NodeReport[] {
    return this.#owners.members.filter(are).map(({ self, heardOfMsAgo }) => ({
      ...self,
      isSelf: self.name === this.self.name,
      partitions: self.name === this.#owners.members[0]?.self.name ? [0, 1] : [2],
      heardOfMsAgo,
    }));
  }
}
