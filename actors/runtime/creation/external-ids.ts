import { TimeoutError, withTimeout } from '../../kit/timeout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Partitions } from '../../ports/ownership.ts';
import { externalKey } from '../../session/external-key.ts';
import type { SessionActor } from '../session-actor.ts';
import { ExternalIdUsedError, type Recorded } from '../sessions.ts';

/** Which live session has a caller's own ID, as far as a reader has followed the log. Of two that were given it, the first has it. */
export interface ExternalIdIndex {
  /** ID of the session. */
  holderOf(key: string): string | undefined;
  /** Resolves when the index has every event up to the position. */
  shows(position: bigint): Promise<void>;
  /** The same of those of all processes. */
  waitFor(position: bigint): Promise<void>;
}

/** Without an index, nothing is unique. */
export const noExternalIds: ExternalIdIndex = {
  holderOf: () => undefined,
  shows: async () => {},
  waitFor: async () => {},
};

/** The index lags by milliseconds. If it takes longer, what it will show is not known. */
const maxLagMs = 5_000;

/** Names that a command gives a session, and the session's tenant. */
interface NamedSettings {
  externalId?: string | undefined;
  tenant?: string | undefined;
}

/** An ID that a command in flight gives a session. */
interface Reservation {
  readonly sessionId: string;
  /** Commands of the session that give it this ID. */
  commands: number;
  /** Why it is unknown whether the session has it. */
  doubt: unknown;
}

/**
 * Keeps callers' own IDs unique (OS1): two commands of this process cannot give two sessions the same ID. The log decides:
 * a reservation stands until the index shows what was recorded, also if the outcome of an append is known only later. If two
 * processes gave it nevertheless, one of them was killed or stood still meanwhile, the index shows which session was first.
 */
export class ExternalIds {
  readonly #clock: Clock;
  readonly #index: ExternalIdIndex;
  readonly #reserved = new Map<string, Reservation>();
  /** Each is called when an ID is reserved no more. */
  readonly #onFree = new Set<() => void>();

  constructor(clock: Clock, index: ExternalIdIndex) {
    this.#clock = clock;
    this.#index = index;
  }

  /**
   * Runs a command that gives the session of this actor an ID.
   * @param named an ID that is undefined or empty: it gives none
   * @throws {ExternalIdUsedError} a live session has the ID. If the command was recorded, the names of its session are as before
   * @throws {StoreUnavailableError} it is not known yet whether one has it
   */
  async during<T extends Recorded>(
    actor: SessionActor,
    { externalId, tenant }: NamedSettings,
    command: () => Promise<T>,
  ): Promise<T> {
    if (!externalId) return command();
    const key = externalKey(externalId, tenant);
    const reservation = this.#reserve(key, actor.id);
    let recorded: T;
    try {
      recorded = await command();
      void this.#release(key, reservation, recorded.position);
    } catch (error) {
      void this.#settle(key, reservation, actor, error);
      throw error;
    }
    const holder = await this.#holderAt(key, recorded.position);
    if (holder === undefined || holder === actor.id) return recorded;
    throw usedBy(holder);
  }

  /** @returns undefined also if the index is late */
  async #holderAt(key: string, position: bigint): Promise<string | undefined> {
    const late = (): Error => new TimeoutError('the index of external IDs is late');
    try {
      await withTimeout(this.#clock, maxLagMs, late, () => this.#index.shows(position));
    } catch {
      return undefined;
    }
    return this.#index.holderOf(key);
  }

  /**
   * Another process is giving its session the ID: no other session gets it until this process's index has what was recorded.
   * @returns to be called once: with the position of what was recorded, or 0 if nothing was
   * @throws {ExternalIdUsedError} a live session has the ID
   */
  hold(key: string, sessionId: string): (position: bigint) => void {
    const reservation = this.#reserve(key, sessionId);
    return (position) => void this.#release(key, reservation, position);
  }

  /**
   * Resolves when no ID of these partitions is reserved: what was under way is recorded, and the index shows it.
   * @returns undefined: none is
   */
  settled(partitions: Partitions): Promise<void> | undefined {
    const isReserved = (): boolean => [...this.#reserved.keys()].some((key) => partitions.has(key));
    return isReserved() ? this.#untilNot(isReserved) : undefined;
  }

  async #untilNot(isReserved: () => boolean): Promise<void> {
    while (isReserved()) {
      await new Promise<void>((resolve) => {
        const free = (): void => {
          this.#onFree.delete(free);
          resolve();
        };
        this.#onFree.add(free);
      });
    }
  }

  /** Before a session is created, of which nothing is left if its ID is not free. @throws as {@link during} */
  mustBeFree(sessionId: string, { externalId, tenant }: NamedSettings): void {
    if (externalId) this.#reservedFor(externalKey(externalId, tenant), sessionId);
  }

  /** @returns what another command has reserved for the session. @throws as {@link during} */
  #reservedFor(key: string, sessionId: string): Reservation | undefined {
    const reserved = this.#reserved.get(key);
    const holder = reserved?.sessionId ?? this.#index.holderOf(key);
    if (holder !== undefined && holder !== sessionId) throw reserved?.doubt ?? usedBy(holder);
    return reserved;
  }

  #reserve(key: string, sessionId: string): Reservation {
    const reserved = this.#reservedFor(key, sessionId);
    const reservation = reserved ?? { sessionId, commands: 0, doubt: undefined };
    reservation.commands += 1;
    this.#reserved.set(key, reservation);
    return reservation;
  }

  /** After a failure it may still be recorded: the actor finds out before it takes another fact. */
  async #settle(key: string, reservation: Reservation, actor: SessionActor, error: unknown): Promise<void> {
    if (!actor.inDoubt) return this.#release(key, reservation, 0n);
    reservation.doubt = error;
    const settled = await actor.send(async () => undefined, { patient: true }).catch(() => undefined);
    reservation.doubt = undefined;
    await this.#release(key, reservation, settled?.position ?? 0n);
  }

  async #release(key: string, reservation: Reservation, position: bigint): Promise<void> {
    await this.#index.waitFor(position);
    reservation.commands -= 1;
    if (reservation.commands > 0) return;
    this.#reserved.delete(key);
    for (const free of this.#onFree) free();
  }
}

const usedBy = (holder: string): Error => new ExternalIdUsedError(`externalId is used by session ${holder}`);
