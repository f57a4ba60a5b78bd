/** The times of leases and nodes, in milliseconds. All follow from the life of a lease. */
export interface LeaseTimes {
  /** The life of a lease: a contender takes it after it has seen no change for this time. */
  lifeMs: number;
  /** Its holder acts for this time after it began to append: four fifths, so that clocks may be 10 % too fast or too slow. */
  actMs: number;
  /** At most, between two renewals of a lease, and between two heartbeats of a node: a third of a life. */
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

/** A quotient of two times may be this much less than a whole number that it stands for. */
const rounding = 1e-9;

export function leaseTimes(lifeMs: number): LeaseTimes {
  return {
    lifeMs,
    actMs: (lifeMs * 4) / 5,
    renewMs: lifeMs / 3,
    stepMs: lifeMs / 15,
    placeMs: lifeMs / 60,
    moveMs: lifeMs / 60,
    goneMs: lifeMs * 2,
    gatherMs: lifeMs / 300,
  };
}

/**
 * When a lease is renewed, or a heartbeat follows, if the one before was appended then: at the next whole multiple of `renewMs`. So a
 * process appends all of them in the same moment, and wakes itself and the other nodes once for all.
 * @param at by the clock's `elapsed()`, as the result
 */
export function nextRenewalAt({ renewMs }: LeaseTimes, at: number): number {
  return (Math.floor(at / renewMs + rounding) + 1) * renewMs;
}
