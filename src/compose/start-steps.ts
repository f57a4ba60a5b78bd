import type { Logger } from 'pino';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import { sleep } from '../../actors/kit/sleep.ts';
import type { Clock } from '../../actors/ports/clock.ts';

/** OP2: the rest of the two seconds is for loading the program. */
const longMs = 400;

/** What a start does, for `/health/ready` and, if it takes long, for the log. */
export class StartSteps {
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'info'>;
  #current: string | undefined;
  #isLong = false;

  constructor(clock: Clock, log: Pick<Logger, 'info'>) {
    this.#clock = clock;
    this.#log = log;
  }

  /** What the start is waiting for; undefined before its first step. */
  get current(): string | undefined {
    return this.#current;
  }

  /** @param name as a reason against being ready: `sessions are being restored` */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#current = name;
    this.#say();
    return work();
  }

  /**
   * Awaits steps, but not for long: until the event store was found to be away, or for 0.4 s. From then on the log
   * says what the start is waiting for.
   * @throws why the steps failed, if that is soon; else the caller hears of it elsewhere.
   */
  async awaitShortly(steps: Promise<unknown>, storeIsAway: Promise<void>): Promise<void> {
    steps.catch(() => {});
    const over = new LightAbort();
    const long = sleep(this.#clock, longMs, over).then(
      () => this.#takesLong(),
      () => {},
    );
    try {
      await Promise.race([steps, storeIsAway, long]);
    } finally {
      over.abort(new Error('the steps have ended'));
    }
  }

  #takesLong(): void {
    this.#isLong = true;
    this.#say();
  }

  #say(): void {
    if (this.#isLong) this.#log.info({ waitingFor: this.#current }, 'still starting');
  }
}
