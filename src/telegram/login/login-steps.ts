import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { type RetryPolicy, storeAway } from '../../../actors/kit/retry-policy.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import type { TelegramFact } from '../../../actors/ports/telegram-session.ts';
import type { FactReporter } from '../fact-reporter.ts';
import { errorNameOf, type TelegramLog } from '../telegram-log.ts';

/** A caller that waits for a fact to be recorded is told after this time that the store is away (FA2.4). */
const recordLimitMs = 5_000;

export interface LoginStepsDeps {
  clock: Clock;
  random: Randomness;
  log: TelegramLog;
}

/** The steps of one login: each is retried until it succeeds, or the signal ends the login. */
export class LoginSteps {
  readonly #deps: LoginStepsDeps;
  readonly #reporter: Pick<FactReporter, 'post'>;
  readonly #signal: LightAbortSignal;
  #running: Promise<void> | undefined;
  /** Rejects those who wait for the step that is running. */
  readonly #callers = new Set<(error: Error) => void>();
  /** Why the store has not taken the running step so far. */
  #refusal: Error | undefined;

  constructor(deps: LoginStepsDeps, reporter: Pick<FactReporter, 'post'>, signal: LightAbortSignal) {
    this.#deps = deps;
    this.#reporter = reporter;
    this.#signal = signal;
  }

  /**
   * Runs a step, or joins the one that is running. The step goes on while the store is away; its callers are not kept
   * waiting (FA2.4).
   * @throws {StoreUnavailableError} and what the step throws
   */
  run(step: () => Promise<void>): Promise<void> {
    this.#running ??= step().finally(() => {
      this.#running = undefined;
    });
    return this.#join(this.#running);
  }

  /** Resolves when no step is running: what is stored is what the last one has come to. @throws as {@link run} */
  async ended(): Promise<void> {
    if (this.#running !== undefined) await this.#join(this.#running);
  }

  #join(running: Promise<void>): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      this.#callers.add(reject);
      void running.then(resolve, reject).finally(() => this.#callers.delete(reject));
    });
  }

  /** Retries a step while the store or Telegram is away. @throws the signal's reason */
  retry<T>(policy: RetryPolicy, step: () => Promise<T>): Promise<T> {
    return retry(this.#deps, policy, step, this.#signal, (error) => this.#noteFailure(error));
  }

  /** Reads what is stored. @throws the signal's reason, also if the login ended while it was read */
  async read<T>(step: () => Promise<T>): Promise<T> {
    const stored = await this.retry(storeAway, step);
    this.#signal.throwIfAborted();
    return stored;
  }

  /** Retries until the store has taken what is written. @throws the signal's reason */
  async write(step: () => Promise<void>): Promise<void> {
    await retry(this.#deps, storeAway, step, this.#signal, (error) => {
      this.#noteFailure(error);
      if (error instanceof StoreUnavailableError) this.#dismiss(error);
    });
    this.#refusal = undefined;
  }

  /** Resolves when the fact is recorded. @throws the signal's reason */
  async report(fact: TelegramFact): Promise<void> {
    const { clock } = this.#deps;
    const late = (): void => this.#dismiss(new StoreUnavailableError(`${fact.type} is not recorded yet`));
    const timer = clock.setTimeout(late, recordLimitMs);
    try {
      await this.#reporter.post(fact, this.#signal);
      this.#refusal = undefined;
    } finally {
      clock.clearTimeout(timer);
    }
  }

  #dismiss(error: Error): void {
    this.#refusal = error;
    for (const reject of this.#callers) reject(error);
  }

  #noteFailure(error: unknown): void {
    this.#deps.log('warn', 'a step of a login failed', { error: errorNameOf(error) });
  }
}
