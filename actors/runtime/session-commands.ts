import { KeyedQueue } from '../kit/keyed-queue.ts';
import { silentLog } from '../ports/log.ts';
import { allPartitions, type OwnedPartitions, type Partitions, soleOwner } from '../ports/ownership.ts';
import type { LoginRequest, StringFormat } from '../ports/telegram-session.ts';
import { firstWebhook, ofSlot, type SealedWebhook } from '../session/events.ts';
import { externalKey } from '../session/external-key.ts';
import { sealProxy, sealSettings, sealWebhook } from '../session/sealed-facts.ts';
import type { CreationSettings, Pace, SessionNames, SessionSettings, Webhook } from '../session/session-settings.ts';
import { ActorStoppedError } from './actor-stopped-error.ts';
import { creationFacts, firstLogin, isImport, type NewSession } from './creation/creation-facts.ts';
import { drawSecret } from './creation/draw-secret.ts';
import { ExternalIds, noExternalIds } from './creation/external-ids.ts';
import { LoginDialogues } from './dialogue/login-dialogues.ts';
import type { FactSource, RecordOutcome } from './mailbox-job.ts';
import { readWebhook } from './recorded-settings.ts';
import type { SessionActor } from './session-actor.ts';
import { SessionSupervisor } from './session-supervisor.ts';
import type { SessionCommandsDeps, SessionSupervisorDeps } from './session-supervisor-deps.ts';
import {
  type CommandOrigin,
  ExternalIdUsedError,
  type Recorded,
  SessionNotActiveError,
  SessionNotFoundError,
  type Sessions,
  SessionsStartingError,
} from './sessions.ts';
import type { SupervisedSession } from './supervised-session.ts';

/** As long as a request waits for its owner (CL5.3). After that, a session whose append has no answer no longer delays the others. */
const maxTakeMs = 5_000;

/** The write model: all sessions of this process. Call {@link Sessions.start} first. */
export function createSessionCommands(options: SessionCommandsDeps): Sessions {
  return new SessionCommands({
    log: silentLog,
    ownership: soleOwner,
    unfinishedErasures: () => [],
    unreadableVaults: async () => [],
    linkStartsPerSecond: 150,
    ...options,
  });
}

/** The commands of sessions: each makes a fact and sends it to the session's actor, which records it. */
class SessionCommands implements Sessions {
  readonly #options: SessionSupervisorDeps;
  readonly #supervisor: SessionSupervisor;
  /** A session's codes and passwords, and its proxies, are tried one after the other, outside its mailbox: its deadline keeps running. */
  readonly #dialogues = new KeyedQueue();
  readonly #externalIds: ExternalIds;
  readonly #logins: LoginDialogues;

  constructor(options: SessionSupervisorDeps) {
    this.#options = options;
    this.#externalIds = new ExternalIds(options.clock, options.externalIds ?? noExternalIds);
    this.#supervisor = new SessionSupervisor(options);
    this.#logins = new LoginDialogues({
      supervisor: this.#supervisor,
      dialogues: this.#dialogues,
      record: (actor, source, origin) => this.#record(actor, source, origin),
    });
  }

  start(): Promise<void> {
    return this.#supervisor.take(allPartitions);
  }

  take(partitions: OwnedPartitions): Promise<void> {
    return this.#supervisor.take(partitions, maxTakeMs);
  }

  finish(partitions: Partitions): Promise<void> | undefined {
    return this.#externalIds.settled(partitions);
  }

  release(partitions: OwnedPartitions, isLost = false): Promise<void> {
    return this.#supervisor.release(partitions, isLost);
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  haveAllStarted(): boolean {
    return this.#supervisor.haveAllStarted();
  }

  state(id: string): ReturnType<Sessions['state']> {
    return this.#supervisor.state(id);
  }

  liveCount(): number {
    return this.#supervisor.liveCount();
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

  async create(
    settings: CreationSettings,
    origin?: CommandOrigin,
    login?: LoginRequest,
    proxy?: string,
    beside?: string,
  ): ReturnType<Sessions['create']> {
    // Its key is compared with those of all sessions.
    if (isImport(login) && !this.haveAllStarted()) throw new SessionsStartingError('sessions are still starting');
    const id = this.#newId(settings, beside);
    this.#externalIds.mustBeFree(id, settings);
    const { session, actor } = this.#supervisor.admit(id);
    session.givenProxy = proxy ?? '';
    const created = this.#externalIds.during(actor, settings, () =>
      this.#create(session, actor, { settings, origin, login, proxy }),
    );
    session.creation = created.catch(() => {});
    try {
      return await created;
    } catch (error) {
      // It is recorded, without the external ID that it was to have.
      if (error instanceof ExternalIdUsedError && actor.state !== undefined) await this.delete(id, origin);
      throw error;
    }
  }

  #newId({ externalId, tenant }: CreationSettings, beside: string | undefined): string {
    const { ownership, random } = this.#options;
    const id = ownership.newSessionId(() => random.uuid(), externalId ? externalKey(externalId, tenant) : beside);
    if (id === undefined) throw new SessionNotActiveError('no session can be created here now');
    return id;
  }

  async #create(
    session: SupervisedSession,
    actor: SessionActor,
    { settings, origin, login, proxy }: NewSession,
  ): ReturnType<Sessions['create']> {
    const { sealer, random } = this.#options;
    const { id } = session;
    const { sessionId, secretHash } = drawSecret(random);
    // Before its login, or its first event, nothing is begun for it: its next owner may create it.
    const mustBeHere = (): void => {
      if (session.isAway) throw new SessionNotActiveError(`session ${id} has left`);
    };
    let recorded: Awaited<ReturnType<Sessions['create']>>;
    try {
      await sealer.createKey(id);
      mustBeHere();
      if (proxy !== undefined) await this.#supervisor.childOf(session).tryProxy(proxy).finally(mustBeHere);
      const loggedIn = login && (await this.#supervisor.childOf(session).logIn(firstLogin, login));
      const source: FactSource = (eventId) =>
        creationFacts(sealer, { id, eventId, secretHash, settings, proxy, loggedIn });
      const { position } = await this.#record(actor, source, origin);
      recorded = { id, sessionId, position };
    } catch (error) {
      // If the append may still succeed, the actor finds out, and then lives or is discarded. If another writer has
      // appended behind it, the session is read anew.
      if (!actor.inDoubt && !(error instanceof SessionNotActiveError)) this.#supervisor.discard(id);
      throw error;
    }
    if (isImport(login)) await session.child?.loginKept();
    return recorded;
  }

  reset(id: string, settings: SessionSettings, origin?: CommandOrigin): Promise<Recorded> {
    const source: FactSource = async (eventId) => ({
      type: 'SessionReset',
      ...(await sealSettings(this.#options.sealer, id, eventId, settings)),
    });
    return this.#command(id, source, origin);
  }

  delete(id: string, origin?: CommandOrigin): Promise<Recorded> {
    return this.#command(id, { type: 'SessionDeleted' }, origin);
  }

  async rename(
    id: string,
    { externalId, label, tenant }: SessionNames & { tenant?: string | undefined },
    origin?: CommandOrigin,
  ): Promise<Recorded> {
    const { actor } = this.#supervisor.active(id);
    const names = { ...(externalId !== undefined && { externalId }), ...(label !== undefined && { label }) };
    return this.#externalIds.during(actor, { externalId, tenant }, () =>
      this.#command(id, { type: 'SessionRenamed', ...names }, origin),
    );
  }

  holdExternalId(key: string, sessionId: string): ReturnType<Sessions['holdExternalId']> {
    return this.#externalIds.hold(key, sessionId);
  }

  setPace(id: string, pace: Pace | null, origin?: CommandOrigin): Promise<Recorded> {
    return this.#command(id, { type: 'PaceSet', pace }, origin);
  }

  async rotateSecret(id: string, origin?: CommandOrigin): ReturnType<Sessions['rotateSecret']> {
    const { sessionId, secretHash } = drawSecret(this.#options.random);
    const recorded = await this.#command(id, { type: 'SecretRotated', secretHash }, origin);
    return { ...recorded, sessionId };
  }

  setWebhook(
    id: string,
    webhook: Webhook | null,
    { slot = firstWebhook, ...origin }: CommandOrigin & { slot?: number } = {},
  ): Promise<Recorded> {
    const source: FactSource = async (eventId) => ({
      type: 'WebhookSet',
      webhook: await sealWebhook(this.#options.sealer, id, eventId, webhook),
      ...ofSlot(slot),
    });
    return this.#command(id, source, origin);
  }

  setProxy(id: string, url: string | null, origin?: CommandOrigin): Promise<Recorded> {
    return this.#dialogues.run(`proxy ${id}`, async () => {
      const child = this.#supervisor.childOf(this.#supervisor.active(id).session);
      if (url !== null) await child.tryProxy(url).finally(() => this.#supervisor.active(id));
      return this.#command(id, (eventId) => sealProxy(this.#options.sealer, id, eventId, url), origin);
    });
  }

  async dropWebhook(id: string, webhook: SealedWebhook, reason: string, slot = firstWebhook): Promise<boolean> {
    const { actor } = this.#supervisor.active(id);
    const { recorded } = await this.#record(actor, async () => {
      const now = await readWebhook(this.#options, id, slot);
      // Each command seals with a new nonce, so an equal sealed text comes from the same command.
      const isStill = now !== null && now.url === webhook.url && now.token === webhook.token;
      return isStill ? { type: 'WebhookSet', webhook: null, ...ofSlot(slot), reason } : undefined;
    });
    return recorded;
  }

  async noteMethodCall(id: string, method: string, origin: CommandOrigin = {}): Promise<RecordOutcome> {
    const { actor } = this.#supervisor.active(id);
    return this.#record(actor, { type: 'MethodCalled', method, by: origin.author ?? 'owner' }, origin);
  }

  async exportLogin(
    id: string,
    format: StringFormat,
    origin?: CommandOrigin,
  ): Promise<Recorded & { text: string | undefined }> {
    const { session, actor } = this.#supervisor.active(id);
    // Earlier commands are processed first.
    await actor.idle();
    const { login, position } = actor;
    if (actor.state !== 'connected') return { text: undefined, position };
    const child = this.#supervisor.childOf(session);
    const text = await child.exportLogin(login, format);
    const outcome = await this.#record(actor, { type: 'LoginExported', login, format }, origin);
    if (!outcome.recorded) return { text: undefined, position: outcome.position };
    await child.loginDropped();
    return { text, position: outcome.position };
  }

  sendCode(id: string, phone: string): ReturnType<Sessions['sendCode']> {
    return this.#logins.sendCode(id, phone);
  }

  submitCode(id: string, code: string, origin?: CommandOrigin): ReturnType<Sessions['submitCode']> {
    return this.#logins.submitCode(id, code, origin);
  }

  submitPassword(id: string, password: string, origin?: CommandOrigin): ReturnType<Sessions['submitPassword']> {
    return this.#logins.submitPassword(id, password, origin);
  }

  async #command(id: string, source: FactSource, origin: CommandOrigin | undefined): Promise<Recorded> {
    const { actor } = this.#supervisor.active(id);
    const { position, recorded } = await this.#record(actor, source, origin);
    // Only a deleted session ignores a command.
    if (!recorded) throw new SessionNotFoundError(`session ${id} is deleted`);
    return { position };
  }

  async #record(actor: SessionActor, source: FactSource, origin: CommandOrigin = {}): Promise<RecordOutcome> {
    try {
      return await actor.send(source, { ...origin });
    } catch (error) {
      if (error instanceof ActorStoppedError) throw new SessionNotActiveError(error.message, { cause: error });
      throw error;
    }
  }
}
