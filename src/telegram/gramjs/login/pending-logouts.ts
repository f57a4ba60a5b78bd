import type { LoginRepository } from '../../login/login-repository.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { logOutStored } from './log-out.ts';

/** A session that has the login in use. */
export interface LeavingSession {
  /** Ends its connection, without a log-out. */
  stop(): void;
  /** @returns whether Telegram has answered */
  logOut(): Promise<boolean>;
}

/** The log-outs of one session's stored logins that are in flight. */
export class PendingLogouts {
  readonly #deps: GramSessionDeps;
  readonly #logins: LoginRepository;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(deps: GramSessionDeps, logins: LoginRepository) {
    this.#deps = deps;
    this.#logins = logins;
  }

  get areInFlight(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Resolves when the present log-outs have ended. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /**
   * Logs out the stored login and ends the session that uses it. The login is dropped only after the log-out at
   * Telegram: if the process is killed before, its next start finds it again. Repeating does no harm.
   * @param isDead Telegram itself ended the stored login: there is nothing to log out
   * @param onKept Telegram did not answer the log-out, and the stored login is kept; without it, it is dropped
   */
  start(isDead: boolean, session: LeavingSession | undefined, onKept?: () => void): void {
    const logout = this.#leave(isDead, session, onKept)
      .catch((error: unknown) => {
        this.#deps.log('warn', 'a log-out failed', { error: errorNameOf(error) });
      })
      .finally(() => this.#inFlight.delete(logout));
    this.#inFlight.add(logout);
  }

  async #leave(isDead: boolean, session: LeavingSession | undefined, onKept?: () => void): Promise<void> {
    if (isDead) session?.stop();
    else if (!(await this.#isLoggedOut(session)) && onKept !== undefined) return onKept();
    await this.#logins.drop();
  }

  async #isLoggedOut(session: LeavingSession | undefined): Promise<boolean> {
    if (session !== undefined) return session.logOut();
    const stored = await this.#logins.load();
    return stored === undefined || logOutStored(this.#deps, stored);
  }
}
