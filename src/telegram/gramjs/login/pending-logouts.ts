import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { retry } from '../../../../actors/kit/retry.ts';
import { storeAway } from '../../../../actors/kit/retry-policy.ts';
import type { LoginRepository } from '../../login/login-repository.ts';
import { type LoginKey, loginKeys } from '../../login/login-state.ts';
import { NotConnectedError } from '../../port/errors.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { logOutAll } from './log-out.ts';

/** A session that has the login in use. */
export interface LeavingSession {
  /** Ends its connection, without a log-out. */
  stop(): void;
  /** Resolves when its connection is closed. */
  ended(): Promise<void>;
  /** @param signal ends it @returns whether Telegram has answered */
  logOut(signal: LightAbortSignal): Promise<boolean>;
}

/** The log-outs of one session's stored logins that are in flight. */
export class PendingLogouts {
  readonly #deps: GramSessionDeps;
  readonly #logins: LoginRepository;
  readonly #onLoggedOut: () => Promise<void>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stop = new LightAbort();
  readonly #givenUp = new LightAbort();
  #dropping: Promise<void> = Promise.resolve();

  /** @param onLoggedOut Telegram has answered the log-out of a login; the login is dropped when the promise resolves */
  constructor(deps: GramSessionDeps, logins: LoginRepository, onLoggedOut: () => Promise<void>) {
    this.#deps = deps;
    this.#logins = logins;
    this.#onLoggedOut = onLoggedOut;
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

  /**
   * Ends the session that uses the stored login and drops the login without a log-out, however long the store is away.
   * Logins before it are logged out.
   */
  drop(session: LeavingSession | undefined): void {
    session?.stop();
    const dropping = this.#drop(session);
    this.#dropping = dropping;
    this.#run(dropping);
  }

  /** Ends the session that uses a borrowed login, of which nothing is stored. */
  forget(session: LeavingSession | undefined): void {
    session?.stop();
    this.#run((session?.ended() ?? Promise.resolve()).then(() => this.#logins.forget()));
  }

  /** Resolves when no login is being dropped any more. @throws {NotConnectedError} the session closes before */
  dropped(): Promise<void> {
    return this.#dropping;
  }

  /** Ends the retries of {@link drop}: the next start drops the login. */
  stop(): void {
    this.#stop.abort(new NotConnectedError('the session is closing'));
  }

  /**
   * Waits for no answer of Telegram any more. A login whose log-out has none stays stored: who acts for the session next logs
   * it out.
   */
  giveUp(): void {
    this.#givenUp.abort(new NotConnectedError('another process acts for the session'));
  }

  async #drop(session: LeavingSession | undefined): Promise<void> {
    await session?.ended();
    const patiently = <T>(step: () => Promise<T>): Promise<T> =>
      retry(this.#deps, storeAway, step, this.#stop, (error) =>
        this.#deps.log('warn', 'a login could not be dropped yet', { error: errorNameOf(error) }),
      );
    // A login that cannot be read is dropped too.
    const stored = await patiently(() => this.#logins.load()).catch(() => undefined);
    await patiently(() => this.#logins.drop());
    this.startFormer(stored?.former ?? [], () => undefined);
  }

  /** Logs out logins before the present one. @param onDone gets those that may still be open */
  startFormer(former: readonly LoginKey[], onDone: (open: LoginKey[]) => void): void {
    if (former.length > 0) this.#run(logOutAll(this.#deps, former, this.#givenUp).then(onDone));
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
    if (isDead) {
      session?.stop();
    } else {
      const outcome = await this.#logOut(session);
      if (outcome === 'unanswered') return onKept();
      // If the process is killed before this is recorded, the next one finds the login and logs out again.
      if (outcome === 'answered') await this.#onLoggedOut();
    }
    await this.#logins.drop();
  }

  async #logOut(session: LeavingSession | undefined): Promise<'answered' | 'unanswered' | 'no login'> {
    if (session !== undefined) return (await session.logOut(this.#givenUp)) ? 'answered' : 'unanswered';
    const stored = await this.#logins.load();
    if (stored === undefined) return 'no login';
    return (await logOutAll(this.#deps, loginKeys(stored), this.#givenUp)).length === 0 ? 'answered' : 'unanswered';
  }
}
