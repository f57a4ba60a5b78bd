import { createHash } from 'node:crypto';
import { silentLog } from '../ports/log.ts';
import {
  type Recorded,
  SessionNotActiveError,
  SessionNotFoundError,
  type SessionSettings,
  type Sessions,
  type Webhook,
} from '../ports/sessions.ts';
import type { SealedWebhook } from '../session/events.ts';
import { sealSettings, sealWebhook } from '../session/sealed-facts.ts';
import { readWebhook } from './read-webhook.ts';
import { ActorStoppedError, type FactSource, type RecordOutcome, type SessionActor } from './session-actor.ts';
import { SessionSupervisor, type SessionSupervisorDeps, type SupervisedSession } from './session-supervisor.ts';

/** AU1 */
const secretBytes = 32;

export interface SessionCommandsDeps
  extends Omit<SessionSupervisorDeps, 'log' | 'unfinishedErasures' | 'linkStartsPerSecond'>,
    Partial<Pick<SessionSupervisorDeps, 'log' | 'unfinishedErasures' | 'linkStartsPerSecond'>> {}

/** The write model: all sessions of this process. {@link Sessions.start} comes first. */
export function createSessionCommands(options: SessionCommandsDeps): Sessions {
  return new SessionCommands({
    log: silentLog,
    unfinishedErasures: () => [],
    linkStartsPerSecond: 100,
    ...options,
  });
}

type PasswordAnswer = Recorded & { outcome: 'accepted' | 'rejected' | 'not-required' };

/** The commands: each makes a fact, and has it recorded by the session's actor. */
class SessionCommands implements Sessions {
  readonly #options: SessionSupervisorDeps;
  readonly #supervisor: SessionSupervisor;
  /** Passwords of a session are tried one after the other, beside its mailbox: its deadlines go on meanwhile. */
  readonly #passwords = new Map<string, Promise<unknown>>();

  constructor(options: SessionSupervisorDeps) {
    this.#options = options;
    this.#supervisor = new SessionSupervisor(options);
  }

  start(): Promise<void> {
    return this.#supervisor.restoreAll();
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  state(id: string): ReturnType<Sessions['state']> {
    return this.#supervisor.state(id);
  }

  async create(settings: SessionSettings, reqId?: string): Promise<Recorded & { id: string; sessionId: string }> {
    const { sealer, random } = this.#options;
    const id = random.uuid();
    const sessionId = random.bytes(secretBytes).toString('base64url');
    const secretHash = createHash('sha256').update(sessionId).digest('hex');
    const actor = this.#supervisor.admit(id);
    try {
      await sealer.createKey(id);
      const source: FactSource = async (eventId) => {
        const { webhook, ...rest } = await sealSettings(sealer, id, eventId, settings);
        return { type: 'SessionCreated', secretHash, ...rest, ...(webhook ? { webhook } : {}) };
      };
      const { position } = await this.#record(actor, source, reqId);
      return { id, sessionId, position };
    } catch (error) {
      // Where it may be recorded all the same, the actor finds out, and lives or is discarded then.
      if (!actor.inDoubt) this.#supervisor.discard(id);
      throw error;
    }
  }

  reset(id: string, settings: SessionSettings, reqId?: string): Promise<Recorded> {
    const source: FactSource = async (eventId) => ({
      type: 'SessionReset',
      ...(await sealSettings(this.#options.sealer, id, eventId, settings)),
    });
    return this.#command(id, source, reqId);
  }

  delete(id: string, reqId?: string): Promise<Recorded> {
    return this.#command(id, { type: 'SessionDeleted' }, reqId);
  }

  setWebhook(id: string, webhook: Webhook | null): Promise<Recorded> {
    return this.#command(id, async (eventId) => ({
      type: 'WebhookSet',
      webhook: await sealWebhook(this.#options.sealer, id, eventId, webhook),
    }));
  }

  async dropWebhook(id: string, webhook: SealedWebhook, reason: string): Promise<boolean> {
    const { actor } = this.#supervisor.active(id);
    const { recorded } = await this.#record(actor, async () => {
      const now = await readWebhook(this.#options, id);
      // Each command seals anew: the same sealed text is the same command's.
      const isStill = now !== null && now.url === webhook.url && now.token === webhook.token;
      return isStill ? { type: 'WebhookSet', webhook: null, reason } : undefined;
    });
    return recorded;
  }

  async submitPassword(id: string, password: string): Promise<PasswordAnswer> {
    this.#supervisor.active(id);
    const answer = this.#tryPassword(id, password, this.#passwords.get(id));
    this.#passwords.set(id, answer);
    try {
      return await answer;
    } finally {
      if (this.#passwords.get(id) === answer) this.#passwords.delete(id);
    }
  }

  async #tryPassword(id: string, password: string, before: Promise<unknown> | undefined): Promise<PasswordAnswer> {
    await Promise.allSettled([before]);
    const { session, actor } = this.#supervisor.active(id);
    // Commands that were given before are seen first.
    await actor.idle();
    if (actor.state !== 'passwordRequired') return this.#notRequired(id);
    const { login } = actor;
    const outcome = await this.#submit(session, login, password);
    if (outcome === 'rejected') {
      const { position } = await this.#record(actor, { type: 'PasswordRejected', login });
      return { outcome, position };
    }
    // The link has reported the login beforehand. It counts, unless the session was reset or deleted meanwhile.
    return outcome === 'accepted' && actor.login === login
      ? { outcome, position: this.#supervisor.active(id).actor.position }
      : this.#notRequired(id);
  }

  async #submit(session: SupervisedSession, login: number, password: string): Promise<PasswordAnswer['outcome']> {
    this.#supervisor.startNow(session);
    try {
      return await this.#supervisor.childOf(session).submitPassword(login, password);
    } catch (error) {
      // A session that is deleted meanwhile takes its link with it, one that is reset its login: then that is the answer.
      const { actor } = this.#supervisor.active(session.id);
      if (actor.login === login) throw error;
      return 'not-required';
    }
  }

  #notRequired(id: string): PasswordAnswer {
    return { outcome: 'not-required', position: this.#supervisor.active(id).actor.position };
  }

  async #command(id: string, source: FactSource, reqId?: string): Promise<Recorded> {
    const { actor } = this.#supervisor.active(id);
    const { position, recorded } = await this.#record(actor, source, reqId);
    // Every state but one answers every command.
    if (!recorded) throw new SessionNotFoundError(`session ${id} is deleted`);
    return { position };
  }

  async #record(actor: SessionActor, source: FactSource, reqId?: string): Promise<RecordOutcome> {
    try {
      return await actor.send(source, { reqId });
    } catch (error) {
      if (error instanceof ActorStoppedError) throw new SessionNotActiveError(error.message, { cause: error });
      throw error;
    }
  }
}
