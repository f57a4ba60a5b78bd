import type { LoginRepository } from '../../login/login-repository.ts';
import { type LoginKey, loginKeys } from '../../login/login-state.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { logOutAll } from './log-out.ts';

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
   * @param onKept Telegram did not answer the log-out: the stored login is kept
   */
  start(isDead: boolean, session: LeavingSession | undefined, onKept: () => void): void {
    this.#run(this.#leave(isDead, session, onKept));
  }

  /** Logs out logins before the present one. @param onDone gets those that may still be open */
  startFormer(former: readonly LoginKey[], onDone: (open: LoginKey[]) => void): void {
    if (former.length > 0) this.#run(logOutAll(this.#deps, former).then(onDone));
  }

  #run(work: Promise<void>): void {
    const logout = work
      .catch((error: unknown) => {
        this.#deps.log('warn', 'a log-out failed', { error: errorNameOf(error) });
      })
      .finally(() => this.#inFlight.delete(logout));
    this.#inFlight.add(logout);
  }

  async #leave(isDead: boolean, session: LeavingSession | undefined, onKept: () => void): Promise<void> {
    if (isDead) session?.stop();
    else if (!(await this.#isLoggedOut(session))) return onKept();
    await this.#logins.drop();
  }

  async #isLoggedOut(session: LeavingSession | undefined): Promise<boolean> {
    if (session !== undefined) return session.logOut();
    const stored = await this.#logins.load();
    return stored === undefined || (await logOutAll(this.#deps, loginKeys(stored))).length === 0;
  }
}
