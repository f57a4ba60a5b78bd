import { storePoll } from '../../../../actors/kit/retry-policy.ts';
import { RetryTimer } from '../../../../actors/kit/retry-timer.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Log } from '../../../../actors/ports/log.ts';
import type { Outage } from '../opened-store.ts';

export interface WriteOutageDeps {
  clock: Clock;
  log: Log;
  /** Writes something and takes it back. @throws why nothing can be written */
  probe: () => void;
}

/** One process writes the file, so the waits need no jitter. */
const noJitter = { fraction: () => 1 };

/**
 * Knows whether the file can be written (FA2): a full disk is an outage of the store. A probe each second finds its end,
 * because a gateway that says that it is not ready may get no request that would.
 */
export class WriteOutage {
  readonly #deps: WriteOutageDeps;
  readonly #timer: RetryTimer;
  #outage: Outage | undefined;
  #since = 0;

  constructor(deps: WriteOutageDeps) {
    this.#deps = deps;
    this.#timer = new RetryTimer({ clock: deps.clock, random: noJitter }, storePoll, () => this.#probe());
  }

  /** Undefined while the last write succeeded. */
  get outage(): Outage | undefined {
    return this.#outage;
  }

  failed(error: unknown): void {
    if (this.#outage !== undefined) return;
    const { clock, log } = this.#deps;
    const reason = error instanceof Error ? error.message : String(error);
    this.#outage = { since: clock.now(), reason };
    this.#since = clock.elapsed();
    this.#timer.arm();
    log.error({ where: 'store', reason }, 'the event store cannot write');
  }

  succeeded(): void {
    if (this.#outage === undefined) return;
    const { clock, log } = this.#deps;
    this.stop();
    this.#outage = undefined;
    log.info({ forMs: Math.round(clock.elapsed() - this.#since) }, 'the event store can write again');
  }

  stop(): void {
    this.#timer.reset();
  }

  #probe(): void {
    try {
      this.#deps.probe();
    } catch {
      this.#timer.arm();
      return;
    }
    this.succeeded();
  }
}
