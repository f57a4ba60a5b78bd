import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { retry } from '../../actors/kit/retry.ts';
import { storeAway } from '../../actors/kit/retry-policy.ts';
import { SerialQueue } from '../../actors/kit/serial-queue.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { ReportTelegramFact, TelegramFact } from '../../actors/ports/telegram-session.ts';
import { errorNameOf, type TelegramLog } from './telegram-log.ts';

/** Reports facts to the session's actor, one at a time, and retries each until it is recorded. */
export class FactReporter {
  readonly #deps: { clock: Clock; random: Randomness; log: TelegramLog };
  readonly #report: ReportTelegramFact;
  readonly #queue = new SerialQueue();

  constructor(deps: { clock: Clock; random: Randomness; log: TelegramLog }, report: ReportTelegramFact) {
    this.#deps = deps;
    this.#report = report;
  }

  /** Resolves when the fact is recorded. @throws the signal's reason, or an error that a retry cannot help */
  post(fact: TelegramFact, signal: LightAbortSignal): Promise<void> {
    return this.#queue.run(() => this.#deliver(fact, signal));
  }

  async #deliver(fact: TelegramFact, signal: LightAbortSignal): Promise<void> {
    const note = (error: unknown): void =>
      this.#deps.log('warn', 'a fact could not be recorded', { fact: fact.type, error: errorNameOf(error) });
    try {
      await retry(this.#deps, storeAway, () => this.#report(fact), signal, note);
    } catch (error) {
      if (!signal.aborted) note(error);
      throw error;
    }
  }
}
