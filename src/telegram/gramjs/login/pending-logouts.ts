import type { LoginRepository } from '../../login/login-repository.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSession } from '../gram-session.ts';
import type { GramSessionDeps } from '../session-deps.ts';
import { logOutStored } from './log-out.ts';

/** The log-outs of one session's stored logins that are in flight. */
export class PendingLogouts {
  readonly #deps: GramSessionDeps;
  readonly #keeper: LoginRepository;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: GramSessionDeps, keeper: LoginRepository) {
    this.#deps = deps;
    this.#keeper = keeper;
  }

  get areUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Resolves when the present log-outs have ended. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /**
   * Logs out the stored login and ends the session that uses it. The login is dropped only after Telegram was told: if
   * the process is killed before, its next start finds it again. Repeating does no harm.
   * @param isDead Telegram itself ended the stored login: there is nothing to log out
   */
  say(isDead: boolean, session: GramSession | undefined): void {
    const goodbye = this.#leave(isDead, session)
      .catch((error: unknown) => {
        this.#deps.log('warn', 'a log-out failed', { error: errorNameOf(error) });
      })
      .finally(() => this.#underWay.delete(goodbye));
    this.#underWay.add(goodbye);
  }

  async #leave(isDead: boolean, session: GramSession | undefined): Promise<void> {
    if (isDead) session?.stop();
    else if (session !== undefined) await session.logOut();
    else {
      const stored = await this.#keeper.load();
      if (stored !== undefined) await logOutStored(this.#deps, stored);
    }
    await this.#keeper.drop();
  }
}
