import type { LoginRepository } from '../../login/login-repository.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { logOutStored } from './log-out.ts';

/** A session that has the login in use. */
export interface LeavingSession {
  /** Ends its connection, without a log-out. */
  stop(): void;
  logOut(): Promise<void>;
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
   */
  start(isDead: boolean, session: LeavingSession | undefined): void {
    const logout = this.#leave(isDead, session)
      .catch((error: unknown) => {
        this.#deps.log('warn', 'a log-out failed', { error: errorNameOf(error) });
      })
      .finally(() => this.#inFlight.delete(logout));
    this.#inFlight.add(logout);
  }

  async #leave(isDead: boolean, session: LeavingSession | undefined): Promise<void> {
    if (isDead) session?.stop();
    else if (session !== undefined) await session.logOut();
    else {
      const stored = await this.#logins.load();
      if (stored !== undefined) await logOutStored(this.#deps, stored);
    }
    await this.#logins.drop();
  }
}
