/** The times of leases and nodes, in milliseconds. All follow from the life of a lease. */
export interface LeaseTimes {
  /** The life of a lease: a contender takes it after it has seen no change for this time. */
  lifeMs: number;
  /** Its holder acts for this time after it began to append: four fifths, so that clocks may be 10 % too fast or too slow. */
  actMs: number;
  /** Between two renewals of a lease, and between two heartbeats of a node: a third of a life. */
  renewMs: number;
  /** A second of a life of fifteen: between tries while the store is away, and until a new node is active. */
  stepMs: number;
  /** For each place in the order of placement, before a free lease is taken: long enough for the node before to take it. */
  placeMs: number;
  /** The least time between two partitions that are given up for a better placement. */
  moveMs: number;
  /** The stream of a node is erased this time after the node counts as gone. */
  goneMs: number;
  /** Partitions that come within this time are handed to the parts together. */
  gatherMs: number;
}

export const defaultLeaseMs = 15_000;

export function leaseTimes(lifeMs: number): LeaseTimes {
  return {
    lifeMs,
    actMs: (lifeMs * 4) / 5,
    renewMs: lifeMs / 3,
    stepMs: lifeMs / 15,
    placeMs: lifeMs / 60,
    moveMs: lifeMs / 60,
    goneMs: lifeMs * 2,
    gatherMs: lifeMs / 150,
  };
}
