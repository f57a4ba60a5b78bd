/** Some of the partitions that all sessions fall into. */
export interface Partitions {
  /** Whether the session is in one of them. */
  has(sessionId: string): boolean;
}

/** Partitions that this process takes or releases, by their numbers. One that is released while it is taken is removed. */
export interface OwnedPartitions extends Partitions {
  readonly numbers: readonly number[];
}

/** Which sessions this process acts for (CL2). A gateway that is alone acts for all. */
export interface Ownership {
  /**
   * Whether this process may act for the session at this instant. To be asked at once before each effect: a process that
   * stood still learns here that its time is over.
   */
  owns(sessionId: string): boolean;
  /** As {@link owns}, of all sessions of a partition. @param number 0 to 63 */
  ownsPartition(number: number): boolean;
  /** How often its partition was taken, as recorded with each taken session; undefined if the process is alone. */
  epochOf(sessionId: string): number | undefined;
  /**
   * The ID of a session that is created here: one of this process's, since it acts for the session from the first event on.
   * @param draw draws an ID
   * @param externalKey of the caller's own ID (OS1): the session is in its partition, whose owner keeps it unique
   * @returns undefined: this process owns no partition, or not that one
   */
  newSessionId(draw: () => string, externalKey?: string): string | undefined;
}

/** Another process may act for the session now. A retry helps, at its owner. */
export class NotOwnerError extends Error {
  override name = 'NotOwnerError';
  readonly retryable = true;
}

/** @throws {NotOwnerError} */
export function mustOwn(ownership: Pick<Ownership, 'owns'>, sessionId: string): void {
  if (!ownership.owns(sessionId)) throw new NotOwnerError(`${sessionId} is not this process's`);
}

/** The ownership of a gateway that is alone. */
export const soleOwner: Ownership = {
  owns: () => true,
  ownsPartition: () => true,
  epochOf: () => undefined,
  newSessionId: (draw) => draw(),
};

/** All sessions, as one partition: those of a gateway that is alone. */
export const allPartitions: OwnedPartitions = { has: () => true, numbers: [0] };
