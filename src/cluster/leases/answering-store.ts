import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import {
  type EventStore,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';

type LeaseStore = Pick<EventStore, 'append' | 'last' | 'truncate' | 'erase'>;

/** Knows whether the store answers, from the appends and reads that go through it. */
export class AnsweringStore implements LeaseStore {
  readonly #store: LeaseStore;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #crashed: LightAbortSignal;
  #answers = false;
  #since = 0;
  #awaySince = 0;

  /** @param crashed no call goes through any more */
  constructor(store: LeaseStore, clock: Pick<Clock, 'elapsed'>, crashed: LightAbortSignal) {
    this.#store = store;
    this.#clock = clock;
    this.#crashed = crashed;
  }

  get answers(): boolean {
    return this.#answers;
  }

  /** How long it did not answer before that, in milliseconds. */
  get wasAwayMs(): number {
    return this.#since - this.#awaySince;
  }

  /** Since when it answers, by the clock's `elapsed()`. */
  get answersSince(): number {
    return this.#since;
  }

  append(...call: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    return this.#noted(() => this.#store.append(...call));
  }

  last(...call: Parameters<EventStore['last']>): ReturnType<EventStore['last']> {
    return this.#noted(() => this.#store.last(...call));
  }

  async truncate(...call: Parameters<EventStore['truncate']>): Promise<void> {
    this.#mustLive();
    await this.#store.truncate(...call);
  }

  async erase(...call: Parameters<EventStore['erase']>): Promise<void> {
    this.#mustLive();
    await this.#store.erase(...call);
  }

  async #noted<T>(call: () => Promise<T>): Promise<T> {
    this.#mustLive();
    try {
      const result = await call();
      this.#answered();
      return result;
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError) this.#answered();
      else this.#failed();
      throw error;
    }
  }

  #mustLive(): void {
    if (this.#crashed.aborted) throw new StoreUnavailableError('the node has crashed');
  }

  #failed(): void {
    if (this.#answers) this.#awaySince = this.#clock.elapsed();
    this.#answers = false;
  }

  #answered(): void {
    if (!this.#answers) this.#since = this.#clock.elapsed();
    this.#answers = true;
  }
}
