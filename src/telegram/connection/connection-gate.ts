import { type LightAbortSignal, onFirstAbort } from '../../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';

/** Up to this share of a second's connections open in the same moment. */
const burstShare = 0.1;
/** After refusals the rate grows back by this share of the maximum each second. */
const growthShare = 0.1;
const minPerSecond = 1;
const secondMs = 1_000;
/** The rate grows while connections wait: the wait for the next is computed anew after this time. */
const recountMs = 250;

interface Waiter {
  isUrgent: () => boolean;
  admit: (number: number) => void;
}

/**
 * Limits how many connections to Telegram a process opens in a second. Telegram counts the new connections of an address
 * and refuses too many (-429). Each refusal halves the rate, which then grows again; refusals of connections that were
 * admitted before the last halving are part of its cause, and halve nothing.
 */
export class ConnectionGate {
  readonly #clock: Clock;
  readonly #maxPerSecond: number;
  readonly #waiting = new Set<Waiter>();
  #timer: TimerHandle | undefined;
  #perSecond: number;
  #allowance: number;
  #countedAt: number;
  #admitted = 0;
  #admittedAtHalving = 0;

  constructor(clock: Clock, maxPerSecond: number) {
    this.#clock = clock;
    this.#maxPerSecond = maxPerSecond;
    this.#perSecond = maxPerSecond;
    this.#allowance = this.#burst;
    this.#countedAt = clock.elapsed();
  }

  /** Connections a second that are admitted now. */
  get perSecond(): number {
    this.#count();
    return this.#perSecond;
  }

  /**
   * Resolves when one more connection may be opened: first come, first served among the urgent ones, then among the others.
   * @param isUrgent asked at each turn: what waits here may become urgent
   * @returns its number, for {@link refused}
   * @throws the signal's reason
   */
  async enter(signal: LightAbortSignal, isUrgent = (): boolean => false): Promise<number> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        isUrgent,
        admit: (number) => {
          stopListening();
          resolve(number);
        },
      };
      const stopListening = onFirstAbort([signal], (reason) => {
        this.#waiting.delete(waiter);
        this.#admitSome();
        reject(reason);
      });
      this.#waiting.add(waiter);
      this.#admitSome();
    });
  }

  /** A connection that was admitted was not opened: the next one has its place. */
  giveBack(): void {
    this.#count();
    this.#allowance = Math.min(this.#burst, this.#allowance + 1);
    this.#admitSome();
  }

  /** The connection with that number was refused. */
  refused(number: number): void {
    if (number <= this.#admittedAtHalving) return;
    this.#admittedAtHalving = this.#admitted;
    this.#count();
    this.#perSecond = Math.max(minPerSecond, this.#perSecond / 2);
    this.#allowance = Math.min(this.#allowance, this.#burst);
  }

  get #burst(): number {
    return Math.max(1, this.#perSecond * burstShare);
  }

  #admitSome(): void {
    this.#count();
    for (; this.#allowance >= 1 && this.#waiting.size > 0; this.#allowance -= 1) {
      const [first] = this.#waiting;
      const next = this.#firstUrgent() ?? first;
      if (next === undefined) break;
      this.#waiting.delete(next);
      this.#admitted += 1;
      next.admit(this.#admitted);
    }
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const waitMs = Math.ceil(((1 - this.#allowance) * secondMs) / this.#perSecond);
    this.#timer = this.#clock.setTimeout(() => this.#admitSome(), Math.min(recountMs, waitMs));
  }

  #firstUrgent(): Waiter | undefined {
    for (const waiter of this.#waiting) if (waiter.isUrgent()) return waiter;
    return undefined;
  }

  #count(): void {
    const now = this.#clock.elapsed();
    const seconds = (now - this.#countedAt) / secondMs;
    this.#countedAt = now;
    this.#perSecond = Math.min(this.#maxPerSecond, this.#perSecond + seconds * growthShare * this.#maxPerSecond);
    this.#allowance = Math.min(this.#burst, this.#allowance + seconds * this.#perSecond);
  }
}
