import type { LeaseRevisions } from '../members/node-codec.ts';
import type { Lease } from './lease.ts';

/**
 * Tells each node which leases the other nodes have renewed. A node does not follow renewals, since they are nearly all events of
 * leases. Instead, the heartbeat of a node names the last event of each of its leases, except those that are being renewed. A lease
 * that no heartbeat has named is read.
 */
export class LeaseNews {
  readonly #leases: readonly Lease[];
  /** By node: the leases that its last heartbeat did not tell, though it holds them as far as is known. */
  readonly #untold = new Map<string, readonly Lease[]>();
  /** The leases whose ends are being read. */
  readonly #reading = new Set<Lease>();

  constructor(leases: readonly Lease[]) {
    this.#leases = leases;
  }

  /** What the next heartbeat of this process tells: nothing of a lease that is being renewed. */
  get own(): LeaseRevisions {
    const known = this.#leases.filter(({ epoch, isBusy }) => epoch !== undefined && !isBusy);
    return Object.fromEntries(known.map(({ partition, end }) => [partition, end?.revision ?? -1]));
  }

  /** Whether that is all that this process holds. */
  get isOwnWhole(): boolean {
    return this.#leases.every(({ epoch, isBusy }) => epoch === undefined || !isBusy);
  }

  /** Resolves when all renewals that are under way have ended. */
  async renewed(): Promise<void> {
    await Promise.all(this.#leases.map((lease) => lease.idle()));
  }

  /**
   * A heartbeat of another node.
   * @returns whether it told all leases that the node holds, as far as this process knows
   */
  hear(node: { name: string; lifeMs: number }, told: LeaseRevisions = {}): boolean {
    for (const lease of this.#leases) {
      const revision = told[lease.partition];
      if (revision !== undefined) lease.hear(revision, node);
    }
    const untold = this.#heldBy(node.name).filter(({ partition }) => told[partition] === undefined);
    if (untold.length > 0) this.#untold.set(node.name, untold);
    else this.#untold.delete(node.name);
    return untold.length === 0;
  }

  /**
   * The next heartbeat of a node is late: reads what the node may have renewed. To be called again and again until one comes.
   * @param isOverdue whether a whole heartbeat should have come; otherwise the last one was not whole
   */
  late(name: string, isOverdue: boolean): void {
    // All leases of an overdue node are read anyway. The entry of a dead node would otherwise never be removed.
    if (isOverdue) this.#untold.delete(name);
    const leases = isOverdue ? this.#heldBy(name) : (this.#untold.get(name) ?? []);
    for (const lease of leases) this.#read(lease);
  }

  #heldBy(name: string): readonly Lease[] {
    return this.#leases.filter(({ end }) => end?.holder?.name === name);
  }

  /** The store was away: it may be back earlier than the subscription. Reads the leases whose time seems to be over. */
  catchUp(): void {
    for (const lease of this.#leases)
      if (lease.otherHolder === undefined && lease.epoch === undefined) this.#read(lease);
  }

  #read(lease: Lease): void {
    if (this.#reading.has(lease)) return;
    this.#reading.add(lease);
    const ended = (): unknown => this.#reading.delete(lease);
    // If it fails, the event is found at the next step, or when the lease is to be taken.
    lease.read().then(ended, ended);
  }
}
