import type { KeyRegistry } from '../key-registry.ts';
import { type DayAllowance, DayCounter, type DayCounterDeps } from './day-counter.ts';

export interface KeySendLimitsDeps extends DayCounterDeps {
  keys: Pick<KeyRegistry, 'lineOf'>;
}

/** How many messages keys may send in a day (KY3). What a key sends counts for the keys that issued it too. */
export class KeySendLimits {
  readonly #deps: KeySendLimitsDeps;
  /** By key; of those that have a limit. */
  readonly #counters = new Map<string, DayCounter>();

  constructor(deps: KeySendLimitsDeps) {
    this.#deps = deps;
  }

  /** Whether its messages are counted. */
  isLimited(keyId: string): boolean {
    return this.#limitsOf(keyId).length > 0;
  }

  /**
   * Counts messages before Telegram is called for them.
   * @returns what the limit leaves that leaves the least; undefined without a limit
   * @throws {DayLimitError} a limit is reached. @throws {StoreUnavailableError} they may have been counted
   */
  async take(keyId: string, messages: number): Promise<DayAllowance | undefined> {
    let least: DayAllowance | undefined;
    for (const { id, limit } of this.#limitsOf(keyId)) {
      const allowance = await this.#counterOf(id).take(messages, limit);
      if (least === undefined || allowance.left < least.left) least = allowance;
    }
    return least;
  }

  #limitsOf(keyId: string): { id: string; limit: number }[] {
    return this.#deps.keys
      .lineOf(keyId)
      .flatMap(({ id, limits: { sendsPerDay: limit } = {} }) => (limit === undefined ? [] : [{ id, limit }]));
  }

  #counterOf(id: string): DayCounter {
    const counter = this.#counters.get(id) ?? new DayCounter(this.#deps, id);
    this.#counters.set(id, counter);
    return counter;
  }
}
