import { TimeoutError, withTimeout } from '../kit/timeout.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type {
  CodeOutcome,
  CreateTelegramSession,
  LoginRequest,
  ReadProxy,
  ReportTelegramFact,
  StringFormat,
  TelegramFact,
  TelegramSession,
} from '../ports/telegram-session.ts';
import type { Effect } from '../session/events.ts';

/** Limit for closing the connection; after it the session is abandoned to the process's end. */
const closeLimitMs = 60_000;

export interface TelegramChildDeps {
  clock: Clock;
  log: Log;
  createTelegramSession: CreateTelegramSession;
}

/** An effect of the chart that is an instruction of the {@link TelegramSession} port. */
export type TelegramEffect = Effect & { type: Exclude<Effect['type'], 'erase'> };

/**
 * The Telegram side of one session, created by its first effect. It reports the end of a log-out while it closes; once it
 * is closed its reports are ignored.
 */
export class TelegramChild {
  readonly #id: string;
  readonly #deps: TelegramChildDeps;
  readonly #telegram: TelegramSession;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(id: string, deps: TelegramChildDeps, report: ReportTelegramFact, readProxy: ReadProxy) {
    this.#id = id;
    this.#deps = deps;
    // After that, reports are about a past that another child has taken over.
    const guarded = (fact: TelegramFact): Promise<void> => {
      if (this.#isClosed || (this.#closing !== undefined && fact.type !== 'LoggedOut')) return Promise.resolve();
      const reported = report(fact);
      // The caller may drop the promise: a fact that could not be recorded must not end the process.
      reported.catch(() => {});
      return reported;
    };
    this.#telegram = deps.createTelegramSession(id, guarded, readProxy);
  }

  /**
   * Runs one effect: the instruction of the Telegram session that has its name. Errors are logged; the state's
   * deadline then deletes the session.
   */
  perform({ type, login }: TelegramEffect): void {
    if (this.#closing !== undefined) return;
    try {
      this.#telegram[type](login);
    } catch (error) {
      this.#deps.log.error(
        { where: 'sessions', session: this.#id, effect: type, err: error },
        'an effect could not be run',
      );
    }
  }

  /** Fails if the session is deleted meanwhile: it closes its connections. */
  tryProxy(url: string): Promise<void> {
    return this.#telegram.tryProxy(url);
  }

  useProxy(): void {
    this.#telegram.useProxy();
  }

  logIn(login: number, request: LoginRequest): Promise<TelegramFact> {
    return this.#telegram.logIn(login, request);
  }

  sendCode(login: number, phone: string): ReturnType<TelegramSession['sendCode']> {
    return this.#telegram.sendCode(login, phone);
  }

  submitCode(login: number, code: string): Promise<CodeOutcome> {
    return this.#telegram.submitCode(login, code);
  }

  submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'> {
    return this.#telegram.submitPassword(login, password);
  }

  exportLogin(login: number, format: StringFormat): Promise<string> {
    return this.#telegram.exportLogin(login, format);
  }

  loginKept(): Promise<void> {
    return this.#telegram.loginKept();
  }

  loginDropped(): Promise<void> {
    return this.#telegram.loginDropped();
  }

  /** Closes without the answer to a log-out, which the session's next owner repeats: nothing here keeps that one waiting. */
  leave(): Promise<void> {
    this.#telegram.giveUpLogOuts();
    return this.close();
  }

  /** Resolves when the connection has closed or its limit has passed. Never rejects. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { clock, log } = this.#deps;
    const late = (): Error => new TimeoutError('the Telegram side of a session did not close in time');
    try {
      await withTimeout(clock, closeLimitMs, late, () => this.#telegram.close());
    } catch (error) {
      if (error instanceof TimeoutError) log.warn({ session: this.#id }, error.message);
      else
        log.error(
          { where: 'sessions', session: this.#id, err: error },
          'the Telegram side of a session could not be closed',
        );
    } finally {
      this.#isClosed = true;
    }
  }
}
