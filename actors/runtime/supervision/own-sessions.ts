import { TakenPartitions } from '../../kit/taken-partitions.ts';
import type { OwnedPartitions, Ownership, Partitions } from '../../ports/ownership.ts';
import type { SessionActor } from '../session-actor.ts';
import type { SessionSupervisorDeps } from '../session-supervisor-deps.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../sessions.ts';
import type { SupervisedSession } from '../supervised-session.ts';

/** The sessions that a process has, and which stored ones it has yet to see. */
export class OwnSessions {
  readonly #sessions = new Map<string, SupervisedSession>();
  /** Whose stored sessions are being read. */
  readonly #taking = new Set<OwnedPartitions>();
  /** Whose stored sessions were all seen. A partition may be this process's for a while before that. */
  readonly #taken: TakenPartitions;
  /** Given up, and not taken again since: nothing of them begins here. */
  readonly #givenUp: TakenPartitions;
  /** Whose stream is being read, one by one. */
  readonly #takingUp = new Set<string>();
  /** Created meanwhile: reading may still come upon their old events, even after they were erased. */
  readonly #createdMeanwhile = new Set<string>();
  /** Sessions that another process has now, unless their partition was taken again since. */
  readonly #left = new Set<string>();
  readonly #ownership: Ownership;
  #hasTaken = false;

  constructor({ ownership, partitionOf }: Pick<SessionSupervisorDeps, 'ownership' | 'partitionOf'>) {
    this.#ownership = ownership;
    this.#taken = new TakenPartitions(partitionOf);
    this.#givenUp = new TakenPartitions(partitionOf);
  }

  get(id: string): SupervisedSession | undefined {
    return this.#sessions.get(id);
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  values(): SupervisedSession[] {
    return [...this.#sessions.values()];
  }

  /** How many live sessions are here. */
  get liveCount(): number {
    return this.values().filter(({ phase }) => phase.kind !== 'erasing').length;
  }

  set(session: SupervisedSession): void {
    this.#sessions.set(session.id, session);
    this.#left.delete(session.id);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** Another process acts for the session from now on. */
  leave(session: SupervisedSession): void {
    if (this.#sessions.get(session.id) !== session) return;
    session.phase = { kind: 'leaving' };
    this.#sessions.delete(session.id);
    this.#createdMeanwhile.delete(session.id);
    this.#left.add(session.id);
  }

  /** Whether another process acts for the session, or may soon. */
  hasLeft(id: string): boolean {
    return this.#left.has(id) || this.#givenUp.has(id);
  }

  /** Adds a session that is being created. */
  admit(session: SupervisedSession): void {
    this.set(session);
    if (this.#taking.size > 0 || !this.#hasTaken) this.#createdMeanwhile.add(session.id);
  }

  /** Whether a stored session that was found is to be restored: it is not here, and was not created meanwhile. */
  wants(id: string, among: Partitions): boolean {
    const isKnown = this.#sessions.has(id) || this.#createdMeanwhile.has(id);
    return !isKnown && among.has(id) && this.#ownership.owns(id);
  }

  beginToTake(partitions: OwnedPartitions): void {
    this.#taking.add(partitions);
    this.#givenUp.release(partitions);
    // One that is recorded late is taken up then.
    for (const id of this.#left) if (partitions.has(id)) this.#left.delete(id);
  }

  /** Every stored session of the partitions was seen. */
  hasTaken(partitions: OwnedPartitions): void {
    this.#hasTaken = true;
    this.#taken.take(partitions);
    this.endTaking(partitions);
  }

  /** The stored sessions of the partitions are read no more, whether all were seen or not. */
  endTaking(partitions: OwnedPartitions): void {
    this.#taking.delete(partitions);
    if (this.#taking.size === 0) this.#createdMeanwhile.clear();
  }

  /** Their sessions leave from now on. */
  beginToRelease(partitions: OwnedPartitions): void {
    this.#taken.release(partitions);
    this.#givenUp.take(partitions);
  }

  /** @returns false if the session is being read already, or its partition was given up */
  beginToTakeUp(id: string): boolean {
    if (this.#takingUp.has(id) || this.#givenUp.has(id)) return false;
    this.#takingUp.add(id);
    return true;
  }

  /**
   * Its stream was read: what it says is to be heeded at once.
   * @returns false if its partition was given up meanwhile
   */
  hasTakenUp(id: string): boolean {
    this.#takingUp.delete(id);
    return !this.#givenUp.has(id);
  }

  /** Whether every stored session of this process was seen, and none is being read or waits to connect. */
  get haveAllStarted(): boolean {
    if (!this.#hasTaken || this.#taking.size > 0) return false;
    return this.values().every(({ pending, isBeginning }) => pending === undefined && !isBeginning);
  }

  /** Whether the session is not here, and would be if it existed. */
  lacks(id: string): boolean {
    return !this.#sessions.has(id) && this.#wouldHave(id);
  }

  #wouldHave(id: string): boolean {
    return this.#taken.has(id) && !this.#left.has(id) && this.#ownership.owns(id);
  }

  /** The recorded state; `'loading'` if the session is not active yet, was not seen yet, or is another process's. */
  state(id: string): SupervisedSession['state'] | undefined {
    return this.#sessions.get(id)?.state ?? (this.#isUnknown(id) ? undefined : 'loading');
  }

  /** Whether the session has reached a final state and is not erased yet. */
  isDeleted(id: string): boolean {
    return this.#sessions.get(id)?.phase.kind === 'erasing';
  }

  /**
   * The actor that takes a session's commands.
   * @throws {SessionNotFoundError} unknown or deleted.
   * @throws {SessionNotActiveError} not restored or not recorded yet, held, or another process's.
   */
  active(id: string): { session: SupervisedSession; actor: SessionActor } {
    const session = this.#sessions.get(id);
    if (session === undefined && this.#isUnknown(id)) throw new SessionNotFoundError(`no session ${id}`);
    if (session?.phase.kind === 'erasing') throw new SessionNotFoundError(`session ${id} is deleted`);
    if (session?.phase.kind !== 'active' || session.phase.actor.state === undefined) {
      throw new SessionNotActiveError(`session ${id} is not active`);
    }
    return { session, actor: session.phase.actor };
  }

  /** Whether no other process and no read can have it. */
  #isUnknown(id: string): boolean {
    return this.#wouldHave(id) && !this.#takingUp.has(id);
  }
}
