export interface Fault {
  /** Full TL name, `messages.sendMessage`; every method if left out. */
  method?: string;
  /** Calls of this user alone. */
  userId?: number;
  /** The error's name; without one the call is carried out. */
  error?: string;
  code?: number;
  delayMs?: number;
  /** Carried out, never answered. */
  dropAnswer?: boolean;
  /** How many calls it hits. */
  times: number;
}

/** Faults waiting for their calls, in the order in which they were asked for. */
export class Faults {
  #waiting: Fault[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ ...fault });
  }

  /** The fault that hits this call, counted down. */
  take(method: string, userId: number | undefined): Fault | undefined {
    const fault = this.#waiting.find(
      (candidate) =>
        (candidate.method === undefined || candidate.method === method) &&
        (candidate.userId === undefined || candidate.userId === userId),
    );
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.#waiting = this.#waiting.filter((other) => other !== fault);
    return fault;
  }

  clear(): void {
    this.#waiting = [];
  }
}
