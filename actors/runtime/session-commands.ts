import { createHash } from 'node:crypto';
import { KeyedQueue } from '../kit/keyed-queue.ts';
import { silentLog } from '../ports/log.ts';
import type { SealedWebhook } from '../session/events.ts';
import { sealSettings, sealWebhook } from '../session/sealed-facts.ts';
import type { SessionSettings, Webhook } from '../session/session-settings.ts';
import { ActorStoppedError } from './actor-stopped-error.ts';
import type { FactSource, RecordOutcome } from './mailbox-job.ts';
import { readWebhook } from './read-webhook.ts';
import type { SessionActor } from './session-actor.ts';
import { SessionSupervisor } from './session-supervisor.ts';
import type { SessionSupervisorDeps } from './session-supervisor-deps.ts';
import { type Recorded, SessionNotActiveError, SessionNotFoundError, type Sessions } from './sessions.ts';
import type { SupervisedSession } from './supervised-session.ts';

/** AU1 */
const secretBytes = 32;

export interface SessionCommandsDeps
  extends Omit<SessionSupervisorDeps, 'log' | 'unfinishedErasures' | 'unreadableVaults' | 'linkStartsPerSecond'>,
    Partial<Pick<SessionSupervisorDeps, 'log' | 'unfinishedErasures' | 'unreadableVaults' | 'linkStartsPerSecond'>> {}

/** The write model: all sessions of this process. Call {@link Sessions.start} first. */
export function createSessionCommands(options: SessionCommandsDeps): Sessions {
  return new SessionCommands({
    log: silentLog,
    unfinishedErasures: () => [],
    unreadableVaults: async () => [],
    linkStartsPerSecond: 150,
    ...options,
  });
}

type PasswordAnswer = Recorded & { outcome: 'accepted' | 'rejected' | 'not-required' };

/** The commands of sessions: each makes a fact and sends it to the session's actor, which records it. */
class SessionCommands implements Sessions {
  readonly #options: SessionSupervisorDeps;
  readonly #supervisor: SessionSupervisor;
  /** Passwords of a session are checked one after the other, outside its mailbox: its deadline keeps running. */
  readonly #passwords = new KeyedQueue();

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

  isDeleted(id: string): boolean {
    return this.#supervisor.isDeleted(id);
  }

  hold(id: string): void {
    this.#supervisor.hold(id);
  }

  foundRecorded(id: string, revision: number): void {
    this.#supervisor.foundRecorded(id, revision);
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
      // If the append may still succeed, the actor finds out, and then lives or is discarded. If another writer has
      // appended behind it, the session is read anew.
      if (!actor.inDoubt && !(error instanceof SessionNotActiveError)) this.#supervisor.discard(id);
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
      // Each command seals with a new nonce, so an equal sealed text comes from the same command.
      const isStill = now !== null && now.url === webhook.url && now.token === webhook.token;
      return isStill ? { type: 'WebhookSet', webhook: null, reason } : undefined;
    });
    return recorded;
  }

  async noteMethodCall(id: string, method: string, reqId?: string): Promise<RecordOutcome> {
    const { actor } = this.#supervisor.active(id);
    return this.#record(actor, { type: 'MethodCalled', method, by: 'owner' }, reqId);
  }

  async submitPassword(id: string, password: string): Promise<PasswordAnswer> {
    this.#supervisor.active(id);
    return this.#passwords.run(id, () => this.#tryPassword(id, password));
  }

  async #tryPassword(id: string, password: string): Promise<PasswordAnswer> {
    const { session, actor } = this.#supervisor.active(id);
    // Earlier commands are processed first.
    await actor.idle();
    if (actor.state !== 'passwordRequired') return this.#notRequired(id);
    const { login } = actor;
    const outcome = await this.#submit(session, login, password);
    if (outcome === 'rejected') {
      const { position } = await this.#record(actor, { type: 'PasswordRejected', login });
      return { outcome, position };
    }
    // The login was reported before this answer. It counts unless the session was reset or deleted meanwhile.
    return outcome === 'accepted' && actor.login === login
      ? { outcome, position: this.#supervisor.active(id).actor.position }
      : this.#notRequired(id);
  }

  async #submit(session: SupervisedSession, login: number, password: string): Promise<PasswordAnswer['outcome']> {
    this.#supervisor.startNow(session);
    try {
      return await this.#supervisor.childOf(session).submitPassword(login, password);
    } catch (error) {
      // The session was deleted or reset meanwhile, which closed its connection: no password is required any more.
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
    // Only a deleted session ignores a command.
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
