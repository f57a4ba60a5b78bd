import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type {
  CreateTelegramSession,
  ReportTelegramFact,
  TelegramFact,
  TelegramSession,
} from '../ports/telegram-session.ts';
import type { Effect } from '../session/events.ts';

/** A link that has not closed by then is left to itself. */
const closeLimitMs = 60_000;

export interface TelegramChildDeps {
  clock: Clock;
  log: Log;
  createLink: CreateTelegramSession;
}

/** The one link of one session: made when the first effect needs it, deaf once it is closed. */
export class TelegramChild {
  readonly #id: string;
  readonly #deps: TelegramChildDeps;
  readonly #link: TelegramSession;
  #closing: Promise<void> | undefined;

  constructor(id: string, deps: TelegramChildDeps, report: ReportTelegramFact) {
    this.#id = id;
    this.#deps = deps;
    // What a closed link still says is about a past that somebody else has taken up.
    const guarded = (fact: TelegramFact): Promise<void> => {
      if (this.#closing !== undefined) return Promise.resolve();
      const reported = report(fact);
      // A link may let go of the promise: a fact that could not be recorded must not end the process.
      reported.catch(() => {});
      return reported;
    };
    this.#link = deps.createLink(id, guarded);
  }

  /** Has one effect done. A link that cannot is logged; its session goes the way of its deadline. */
  perform({ type, login }: Effect): void {
    if (this.#closing !== undefined) return;
    try {
      if (type === 'startQrLogin') this.#link.startQrLogin(login);
      else if (type === 'awaitPassword') this.#link.awaitPassword(login);
      else if (type === 'connect') this.#link.connect(login);
      else if (type === 'logOut') this.#link.logOut();
    } catch (error) {
      this.#deps.log.error({ session: this.#id, effect: type, err: error }, 'a link could not do what it was told');
    }
  }

  submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'> {
    return this.#link.submitPassword(login, password);
  }

  /** Resolves when the link has closed, or has had its time; never rejects. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { clock, log } = this.#deps;
    await new Promise<void>((resolve) => {
      const limit = clock.setTimeout(() => {
        log.warn({ session: this.#id }, 'a link did not close in time');
        resolve();
      }, closeLimitMs);
      this.#link
        .close()
        .catch((error: unknown) => log.error({ session: this.#id, err: error }, 'a link could not be closed'))
        .finally(() => {
          clock.clearTimeout(limit);
          resolve();
        });
    });
  }
}
