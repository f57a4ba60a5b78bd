import type { KeyedQueue } from '../../kit/keyed-queue.ts';
import type { SessionFact, SessionState } from '../../session/events.ts';
import { ActorStoppedError } from '../actor-stopped-error.ts';
import type { FactSource, RecordOutcome } from '../mailbox-job.ts';
import type { SessionActor } from '../session-actor.ts';
import type { SessionSupervisor } from '../session-supervisor.ts';
import { type CommandOrigin, type Recorded, SessionNotActiveError, type Sessions } from '../sessions.ts';
import type { TelegramChild } from '../telegram-child.ts';

interface LoginDialoguesDeps {
  supervisor: SessionSupervisor;
  /** One dialogue of a session after the other, outside its mailbox: its deadline keeps running. */
  dialogues: KeyedQueue;
  record: (actor: SessionActor, source: FactSource, origin?: CommandOrigin) => Promise<RecordOutcome>;
}

/** The steps of logins that need a caller: codes and passwords. */
export class LoginDialogues {
  readonly #supervisor: SessionSupervisor;
  readonly #dialogues: KeyedQueue;
  readonly #record: LoginDialoguesDeps['record'];

  constructor({ supervisor, dialogues, record }: LoginDialoguesDeps) {
    this.#supervisor = supervisor;
    this.#dialogues = dialogues;
    this.#record = record;
  }

  async sendCode(id: string, phone: string): ReturnType<Sessions['sendCode']> {
    this.#supervisor.active(id);
    return this.#dialogues.run(id, async () => {
      const { outcome } = await this.#converse(id, ['qrPending', 'codeRequired'], (child, login) =>
        child.sendCode(login, phone),
      );
      return this.#answered(id, outcome ?? 'not-possible');
    });
  }

  async submitCode(id: string, code: string, origin?: CommandOrigin): ReturnType<Sessions['submitCode']> {
    this.#supervisor.active(id);
    return this.#dialogues.run(id, async () => {
      const { outcome, login, position } = await this.#converse(id, ['codeRequired'], (child, now) =>
        child.submitCode(now, code),
      );
      if (outcome === 'rejected') return this.#rejected(id, { type: 'CodeRejected', login }, origin);
      // Its last code has expired: the session is deleted.
      if (outcome === 'used-up') return { outcome, position };
      return this.#answered(id, outcome ?? 'not-required');
    });
  }

  async submitPassword(id: string, password: string, origin?: CommandOrigin): ReturnType<Sessions['submitPassword']> {
    this.#supervisor.active(id);
    return this.#dialogues.run(id, async () => {
      const { outcome, login } = await this.#converse(id, ['passwordRequired'], (child, now) =>
        child.submitPassword(now, password),
      );
      if (outcome === 'rejected') return this.#rejected(id, { type: 'PasswordRejected', login }, origin);
      return this.#answered(id, outcome ?? 'not-required');
    });
  }

  /**
   * One step of a login at Telegram, whose facts were reported before its answer.
   * @param states in which it is possible
   * @returns no outcome if the session is in another state, or was reset or deleted meanwhile
   * @throws {SessionNotActiveError} the session has left this process: see {@link #stillActive} if the step had begun
   */
  async #converse<T>(
    id: string,
    states: readonly SessionState[],
    step: (child: TelegramChild, login: number) => Promise<T>,
  ): Promise<{ outcome: T | undefined; login: number; position: bigint }> {
    // Earlier commands are processed first.
    await this.#supervisor.active(id).actor.idle();
    const { session, actor } = this.#supervisor.active(id);
    const { login, state } = actor;
    if (state === undefined || !states.includes(state)) return { outcome: undefined, login, position: actor.position };
    this.#supervisor.startNow(session);
    try {
      const outcome = await step(this.#supervisor.childOf(session), login);
      return { outcome: actor.login === login ? outcome : undefined, login, position: actor.position };
    } catch (error) {
      // A session that was deleted or reset meanwhile has closed its connection.
      if (this.#stillActive(id).login === login) throw error;
      return { outcome: undefined, login, position: actor.position };
    }
  }

  async #rejected(
    id: string,
    fact: SessionFact,
    origin: CommandOrigin | undefined,
  ): Promise<Recorded & { outcome: 'rejected' }> {
    const { position } = await this.#record(this.#stillActive(id), fact, origin);
    return { outcome: 'rejected', position };
  }

  #answered<T>(id: string, outcome: T): Recorded & { outcome: T } {
    return { outcome, position: this.#stillActive(id).position };
  }

  /**
   * The session's actor, once a step was begun.
   * @throws {SessionNotActiveError} the session has left: as of a command that its stopped actor had, because the next owner must
   * not do the step again
   */
  #stillActive(id: string): SessionActor {
    try {
      return this.#supervisor.active(id).actor;
    } catch (error) {
      if (!(error instanceof SessionNotActiveError)) throw error;
      const cause = new ActorStoppedError(`a step of a login of ${id} was begun`);
      throw new SessionNotActiveError(error.message, { cause });
    }
  }
}
