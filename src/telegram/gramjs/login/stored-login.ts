import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { storeAway } from '../../../../actors/kit/retry-policy.ts';
import type { LoginRepository } from '../../login/login-repository.ts';
import { type LoginKey, type LoginState, laterPosition, loginKeys } from '../../login/login-state.ts';
import { NotConnectedError } from '../../port/errors.ts';
import type { UpdateRecord } from '../../port/updates.ts';
import { keyForgotten } from '../connection/key-doubt.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import type { LoginTask } from './login-task.ts';
import { type LeavingSession, PendingLogouts } from './pending-logouts.ts';

/** The stored login, from the later of its own position and the recorded one. @throws the task's reason, if it has ended */
export async function loginToResume(
  { steps }: Pick<LoginTask, 'steps'>,
  stored: LoginState,
  record: UpdateRecord,
): Promise<LoginState> {
  const recorded = await steps.read(() => record.resume());
  const position = laterPosition(stored.position, recorded);
  return { ...stored, ...(position && { position }) };
}

/** How the stored login of a session ends: logged out at Telegram, or replaced by another one. */
export class StoredLogin {
  readonly #logins: LoginRepository;
  readonly #logouts: PendingLogouts;
  /** Telegram itself ended it: there is nothing to log out. */
  #isDead = false;
  /** It may still be open at Telegram: kept until another login succeeds, then logged out (SE9.4). */
  #isKept = false;
  #keeping: Promise<void> = Promise.resolve();

  /** @param onLoggedOut see {@link PendingLogouts} */
  constructor(deps: GramSessionDeps, logins: LoginRepository, onLoggedOut: () => Promise<void>) {
    this.#logins = logins;
    this.#logouts = new PendingLogouts(deps, logins, onLoggedOut);
  }

  /** A session was opened with it. */
  opened(): void {
    this.#isDead = false;
  }

  /** @param former the session's logins before it */
  lost(reason: string, former: readonly LoginKey[]): void {
    if (reason === keyForgotten || former.length > 0) this.#isKept = true;
    else this.#isDead = true;
  }

  /** Logs it out, unless that is in progress or it is kept. */
  leaveBeforeNext(): void {
    if (!this.#logouts.areInFlight && !this.#isKept) this.leave(undefined);
  }

  /** A borrowed one is only forgotten. @param session the one that uses it */
  leave(session: LeavingSession | undefined): void {
    if (this.#logins.isBorrowed) return this.#logouts.forget(session);
    this.#isKept = false;
    this.#logouts.start(this.#isDead, session, () => {
      this.#isKept = true;
    });
  }

  /** It was borrowed, and is the session's own from now on. Stores it, however long the store is away. */
  keep({ session, steps }: Pick<LoginTask, 'session' | 'steps'>): void {
    if (session === undefined || !this.#logins.isBorrowed) return;
    this.#keeping = steps.retry(storeAway, () => this.#logins.keep(session.snapshot()));
    this.#keeping.catch(() => undefined);
  }

  /**
   * Resolves when it is stored.
   * @throws {NotConnectedError} it is its owner's: {@link keep} was not called
   * @throws the reason why it is not, if the session does something else
   */
  async kept(): Promise<void> {
    if (this.#logins.isBorrowed) throw new NotConnectedError("the login is still its owner's");
    await this.#keeping;
  }

  /** Drops it without a log-out. @param session the one that uses it */
  drop(session: LeavingSession | undefined): void {
    this.#isKept = false;
    this.#logouts.drop(session);
  }

  /** Resolves when it is dropped. @throws {NotConnectedError} the session closes before */
  dropped(): Promise<void> {
    return this.#logouts.dropped();
  }

  /** See {@link PendingLogouts.giveUp}. */
  giveUpLogOuts(): void {
    this.#logouts.giveUp();
  }

  /** The session closes: what could not be dropped is left to the next start. */
  stop(): void {
    this.#logouts.stop();
  }

  /**
   * What the next login has to take along, before it is stored: a login that is kept would be lost.
   * @param load retries while the store is away
   */
  async toTakeAlong(load: () => Promise<LoginState | undefined>): Promise<readonly LoginKey[] | undefined> {
    // Dropping the old login must not drop the new one.
    await this.#logouts.settled();
    if (!this.#isKept) return undefined;
    const stored = await load();
    this.#isKept = false;
    return stored && loginKeys(stored);
  }

  /** Those of which Telegram does not answer are left to the next start. */
  leaveFormer(
    session: LeavingSession & { former: readonly LoginKey[]; snapshot: () => LoginState },
    signal: LightAbortSignal,
  ): void {
    this.#logouts.startFormer(session.former, (open) => {
      session.former = open;
      if (!signal.aborted) this.#logins.saveSoon(() => session.snapshot());
    });
  }

  /** Resolves when the present log-outs have ended. Never rejects. */
  settled(): Promise<void> {
    return this.#logouts.settled();
  }
}
