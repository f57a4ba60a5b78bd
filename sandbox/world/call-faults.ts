export interface CallFault {
  /** Full TL name, such as `messages.sendMessage`; all methods if left out. */
  method?: string;
  /** Only calls of this user; all users if left out. */
  userId?: number;
  /** The name of the error to answer with. If left out, the call is carried out. */
  error?: string;
  code?: number;
  delayMs?: number;
  /** The call is carried out and never answered. */
  dropAnswer?: boolean;
  /** The number of calls that it still hits. */
  times: number;
}

/** Faults for coming RPC calls, in the order in which they were added. */
export class CallFaults {
  #faults: CallFault[] = [];

  add(fault: CallFault): void {
    this.#faults.push({ ...fault });
  }

  /** The first fault that hits this call; it counts the call. */
  take(method: string, userId: number | undefined): CallFault | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        (candidate.method === undefined || candidate.method === method) &&
        (candidate.userId === undefined || candidate.userId === userId),
    );
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.#faults = this.#faults.filter((other) => other !== fault);
    return fault;
  }

  clear(): void {
    this.#faults = [];
  }
}
