/** The times of leases and nodes, in milliseconds. All follow from the life of a lease. */
export interface LeaseTimes {
  /** The life of a lease: a contender takes it after it has seen no change for this time. */
  lifeMs: number;
  /**
   * Its holder acts for this time after it began to append: four fifths, so that clocks may be 10 % too fast or too slow, and
   * not in its last second. See {@link restOf}.
   */
  actMs: number;
  /** At most, between two renewals of a lease, and between two heartbeats of a node: a third of a life of five seconds or more. */
  renewMs: number;
  /** A second of a life of fifteen: between tries while the store is away, and until a new node is active. */
  stepMs: number;
  /**
   * A step, but at least a second. A heartbeat that is overdue by this time is late; from then on the leases of its node are read
   * each time that this time has passed. Reading them at each step of a short life would give a busy machine, on which many heartbeats
   * are late, still more to do.
   */
  lateMs: number;
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
const minLateMs = 1_000;

/** How often a holder renews its lease in the time for which it acts: each third of a life, if it acts for four fifths. */
const renewalsInAct = 12 / 5;
/** Telegram ends a login whose key is used from two addresses at the same time, which may be within a second. */
const sameTimeMs = 1_000;

/** For how long a holder does nothing at the end of a life. A life of less than 2.5 s has no whole second to spare. */
const restOf = (lifeMs: number): number => Math.max(lifeMs / 5, Math.min(sameTimeMs, (lifeMs * 2) / 5));

/** A quotient of two times may be this much less than a whole number that it stands for. */
const rounding = 1e-9;

export function leaseTimes(lifeMs: number): LeaseTimes {
  const actMs = lifeMs - restOf(lifeMs);
  return {
    lifeMs,
    actMs,
    renewMs: actMs / renewalsInAct,
    stepMs: lifeMs / 15,
    lateMs: Math.max(lifeMs / 15, minLateMs),
    placeMs: lifeMs / 60,
    moveMs: lifeMs / 60,
    goneMs: lifeMs * 2,
    gatherMs: lifeMs / 300,
  };
}

/**
 * When a lease is renewed, or a heartbeat follows, if the one before was appended then: at the next whole multiple of `renewMs`. So a
 * process appends all of them in the same moment and wakes once for all, and one heartbeat tells the other nodes of all.
 * @param at by the clock's `elapsed()`, as the result
 */
export function nextRenewalAt({ renewMs }: LeaseTimes, at: number): number {
  return (Math.floor(at / renewMs + rounding) + 1) * renewMs;
}
