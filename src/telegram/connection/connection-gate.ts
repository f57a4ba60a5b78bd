import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { Semaphore } from '../../../actors/kit/semaphore.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

/** Up to this share of a second's connections open in the same moment. */
const burstShare = 0.1;
/** After refusals the rate grows back by this share of the maximum each second. */
const growthShare = 0.1;
const minPerSecond = 1;
const secondMs = 1_000;

/**
 * Limits how many connections to Telegram a process opens in a second. Telegram counts the new connections of an address
 * and refuses too many (-429). Each refusal halves the rate, which then grows again; refusals of connections that were
 * admitted before the last halving are part of its cause, and halve nothing.
 */
export class ConnectionGate {
  readonly #clock: Clock;
  readonly #maxPerSecond: number;
  /** One waits at a time, the others behind it. */
  readonly #door = new Semaphore(1);
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
   * Resolves when one more connection may be opened, first come, first served.
   * @returns its number, for {@link refused}
   * @throws the signal's reason
   */
  enter(signal: LightAbortSignal): Promise<number> {
    return this.#door.run(async () => {
      for (this.#count(); this.#allowance < 1; this.#count()) {
        await sleep(this.#clock, Math.ceil(((1 - this.#allowance) * secondMs) / this.#perSecond), signal);
      }
      this.#allowance -= 1;
      this.#admitted += 1;
      return this.#admitted;
    }, signal);
  }

  /** A connection that was admitted was not opened: the next one has its place. */
  giveBack(): void {
    this.#count();
    this.#allowance = Math.min(this.#burst, this.#allowance + 1);
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

  #count(): void {
    const now = this.#clock.elapsed();
    const seconds = (now - this.#countedAt) / secondMs;
    this.#countedAt = now;
    this.#perSecond = Math.min(this.#maxPerSecond, this.#perSecond + seconds * growthShare * this.#maxPerSecond);
    this.#allowance = Math.min(this.#burst, this.#allowance + seconds * this.#perSecond);
  }
}
