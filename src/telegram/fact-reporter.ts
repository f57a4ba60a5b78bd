import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { ReportTelegramFact, TelegramFact } from '../../actors/ports/telegram-session.ts';
import { retryDelayMs } from './connection/backoff.ts';
import { wait } from './connection/waiting.ts';
import { errorNameOf, type TelegramLog } from './telegram-log.ts';

/** Hands facts to the actor, one after the other, each until it is recorded. */
export class FactReporter {
  readonly #setting: { clock: Clock; random: Randomness; log: TelegramLog };
  readonly #report: ReportTelegramFact;
  #last: Promise<void> = Promise.resolve();

  constructor(setting: { clock: Clock; random: Randomness; log: TelegramLog }, report: ReportTelegramFact) {
    this.#setting = setting;
    this.#report = report;
  }

  /** Resolves when the fact is recorded. @throws the signal's reason: the fact is of interest no more. */
  post(fact: TelegramFact, signal: AbortSignal): Promise<void> {
    const posted = this.#last.then(() => this.#deliver(fact, signal));
    this.#last = posted.catch(() => undefined);
    return posted;
  }

  async #deliver(fact: TelegramFact, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#setting;
    for (let failures = 1; ; failures++) {
      signal.throwIfAborted();
      try {
        return await this.#report(fact);
      } catch (error) {
        log('warn', 'a fact could not be recorded', { fact: fact.type, error: errorNameOf(error) });
      }
      await wait(clock, retryDelayMs(failures, random.fraction()), signal);
    }
  }
}
