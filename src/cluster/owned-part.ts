import type { OwnedPartitions } from '../../actors/ports/ownership.ts';

/** A part of the gateway that acts for sessions. */
export interface OwnedPart {
  /** The sessions are this process's from now on. Resolves when the part serves them. */
  take(partitions: OwnedPartitions): Promise<void>;
  /**
   * The sessions are not this process's any more, or will not be in a moment. Resolves when nothing is done for them.
   * @param isLost the lease is over: nothing may be written any more, neither to the store nor to Telegram
   */
  release(partitions: OwnedPartitions, isLost: boolean): Promise<void>;
}
