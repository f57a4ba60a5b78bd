/** Which sessions this process acts for (CL2). A gateway that is alone acts for all. */
export interface Ownership {
  /**
   * Whether this process may act for the session at this instant. To be asked at once before each effect: a process that
   * stood still learns here that its time is over.
   */
  owns(sessionId: string): boolean;
  /** How often its partition was taken, as recorded with each taken session; undefined if the process is alone. */
  epochOf(sessionId: string): number | undefined;
}

/** The ownership of a gateway that is alone. */
export const soleOwner: Ownership = { owns: () => true, epochOf: () => undefined };
