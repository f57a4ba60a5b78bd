import { hashOf } from './partitions.ts';

/**
 * The nodes in the order in which a partition wants them, by rendezvous hashing
 * (https://en.wikipedia.org/wiki/Rendezvous_hashing): each node has a hash with the partition, and the highest is first. A node
 * that comes or goes changes nothing in the order of the others.
 * @param names of nodes, in any order
 */
export function placementOf(partition: number, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, weight: hashOf(`${partition} ${name}`) }))
    .toSorted((one, other) => other.weight - one.weight || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name);
}

/** The placement of every partition over the same nodes, computed once. */
export class Placements {
  readonly names: readonly string[];
  readonly #known = new Map<number, readonly string[]>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** See {@link placementOf}. */
  of(partition: number): readonly string[] {
    const placement = this.#known.get(partition) ?? placementOf(partition, this.names);
    this.#known.set(partition, placement);
    return placement;
  }
}

/** What decides whether this process takes free leases, and gives away others. */
export interface Circumstances {
  placements: Placements;
  /** Whether the store answers, and this process takes its share. */
  mayTake: boolean;
  /** Since when the store answers, by the clock's `elapsed()`. */
  reachableSince: number;
}
