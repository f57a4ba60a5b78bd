import type { OwnedPartitions } from '../../actors/ports/ownership.ts';

/** Partitions that are taken together. One that is released meanwhile is removed. */
export interface TakenTogether extends OwnedPartitions {
  /** Aborted when the last of them is removed: nothing has to be waited for any more. */
  readonly emptied: AbortSignal;
}

/**
 * A part of the gateway that acts for sessions. While it releases partitions, `Ownership.owns` still holds for them: to know
 * whether it may begin something there, a part asks its own `TakenPartitions`.
 */
export interface OwnedPart {
  /** This process owns the sessions from now on. Resolves when the part serves them. */
  take(partitions: TakenTogether): Promise<void>;
  /**
   * The partition will be released in a moment, and no new request reaches it here. The part refuses what waits without having
   * begun, and lets the rest end. It goes on serving the partition until {@link release}, which may come before the end.
   * @returns resolves when nothing is under way; undefined: nothing is
   */
  finish?(partition: number): Promise<void> | undefined;
  /**
   * This process does not own the sessions any more, or will not in a moment. From the call on the part begins nothing for
   * them. Resolves when nothing is done for them any more.
   * @param isLost the lease is over: nothing may be written any more, neither to the store nor to Telegram. Appends that
   *   are under way need not be waited for: each expects a revision, so it is refused once the next owner has appended
   */
  release(partitions: OwnedPartitions, isLost: boolean): Promise<void>;
}

/** Parts that do not need each other to release: they take one after the other, and release all at once. */
export function releasedTogether(parts: readonly OwnedPart[]): OwnedPart {
  return {
    async take(partitions) {
      for (const part of parts) {
        // All of them may be released meanwhile.
        if (partitions.numbers.length > 0) await part.take(partitions);
      }
    },
    finish: (partition) => finishAll(parts, partition),
    async release(partitions, isLost) {
      const ends = await Promise.allSettled(parts.map(async (part) => await part.release(partitions, isLost)));
      const reasons = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as unknown);
      if (reasons.length > 0) throw new AggregateError(reasons, 'not all could release');
    },
  };
}

/** {@link OwnedPart.finish} of several parts. */
export function finishAll(parts: readonly OwnedPart[], partition: number): Promise<void> | undefined {
  const finishing = parts.map((part) => part.finish?.(partition)).filter((end) => end !== undefined);
  return finishing.length === 0 ? undefined : Promise.all(finishing).then(() => {});
}
