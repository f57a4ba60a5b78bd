import type { LoginRepository } from '../../login/login-repository.ts';
import { errorNameOf } from '../../telegram-log.ts';
import type { GramSession, GramSessionDeps } from '../gram-session.ts';
import { logOutStored } from './log-out.ts';

/** The log-outs of one session's stored logins that are under way. */
export class PendingLogouts {
  readonly #setting: GramSessionDeps;
  readonly #keeper: LoginRepository;
  readonly #underWay = new Set<Promise<void>>();

  constructor(setting: GramSessionDeps, keeper: LoginRepository) {
    this.#setting = setting;
    this.#keeper = keeper;
  }

  get areUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Resolves when those of now are through; never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /**
   * Ends what is stored, and the session that uses it. Dropped only once Telegram has been told: a process that is
   * killed before finds it again at its next start. Several do no harm.
   * @param isDead Telegram has ended the stored login itself: there is nothing to log out
   */
  say(isDead: boolean, session: GramSession | undefined): void {
    const goodbye = this.#leave(isDead, session)
      .catch((error: unknown) => {
        this.#setting.log('warn', 'a log-out failed', { error: errorNameOf(error) });
      })
      .finally(() => this.#underWay.delete(goodbye));
    this.#underWay.add(goodbye);
  }

  async #leave(isDead: boolean, session: GramSession | undefined): Promise<void> {
    if (isDead) session?.stop();
    else if (session !== undefined) await session.logOut();
    else {
      const stored = await this.#keeper.load();
      if (stored !== undefined) await logOutStored(this.#setting, stored);
    }
    await this.#keeper.drop();
  }
}
