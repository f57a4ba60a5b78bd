import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import { ExternalIdUsedError, type Recorded, SessionNotActiveError } from '../../actors/runtime/sessions.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { awaitChange } from './await-change.ts';
import type { NodeCalls } from './node-calls.ts';

/** A session of another node is to get an ID. */
export const holdPath = '/nodes/external-ids';
/** It has got it, or has not. */
export const heldPath = '/nodes/external-ids/end';

/** `POST /nodes/external-ids`. */
export interface HoldQuestion {
  /** Of the hold: the same question may be asked again. */
  id: string;
  /** Of `externalKey`. */
  key: string;
  sessionId: string;
}

/**
 * - `held`: no other session gets it
 * - `used`: a session has it, or is getting it, as the reason says
 * - `elsewhere`: another node keeps the ID
 */
export interface HoldAnswer {
  kind: 'held' | 'used' | 'elsewhere';
  reason: string;
}

/** `POST /nodes/external-ids/end`. */
export interface HoldEnd {
  id: string;
  /** Of the event that gave the session the ID, as decimal digits; 0 if none did. */
  position: string;
}

export interface ExternalIdsElsewhereDeps {
  cluster: Cluster;
  calls: Pick<NodeCalls, 'call'>;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
}

const maxCallMs = 2_000;
/** As long as a request waits for a session that changes hands (CL5.3). */
const maxWaitMs = 5_000;
const lookAgainMs = 100;

/** Keeps callers' own IDs unique over the nodes (OS1): the owner of an ID's partition holds it for a session of another node. */
export class ExternalIdsElsewhere {
  readonly #deps: ExternalIdsElsewhereDeps;

  constructor(deps: ExternalIdsElsewhereDeps) {
    this.#deps = deps;
  }

  /**
   * Runs a command that gives a session of this node an ID.
   * @param key of `externalKey`
   * @throws {ExternalIdUsedError} a session has the ID, or is getting it
   * @throws {SessionNotActiveError} the node that keeps the ID does not answer
   */
  async during<T extends Recorded>(key: string, sessionId: string, command: () => Promise<T>): Promise<T> {
    const id = this.#deps.random.uuid();
    // Its own commands this node keeps apart itself.
    if (!(await this.#hold({ id, key, sessionId }))) return command();
    try {
      const recorded = await command();
      void this.#end(key, { id, position: String(recorded.position) });
      return recorded;
    } catch (error) {
      // If it is recorded after all, the hold outlasts that.
      if (!mayBeRecorded(error)) void this.#end(key, { id, position: '0' });
      throw error;
    }
  }

  /** @returns false if this node keeps the ID itself */
  async #hold({ ...question }: HoldQuestion): Promise<boolean> {
    const { cluster, calls, clock } = this.#deps;
    const until = clock.elapsed() + maxWaitMs;
    for (;;) {
      const place = cluster.placeOf(question.key);
      if (place.kind === 'here') return false;
      if (place.kind === 'there') {
        const answer = await calls
          .call<{ kind: HoldAnswer['kind']; reason: string }>(place.node, holdPath, question, maxCallMs)
          .catch(() => undefined);
        if (answer?.kind === 'held') return true;
        if (answer?.kind === 'used') throw new ExternalIdUsedError(answer.reason);
      }
      const leftMs = until - clock.elapsed();
      if (leftMs <= 0) throw new SessionNotActiveError('the node that keeps the external ID does not answer');
      await awaitChange(cluster, clock, Math.min(leftMs, lookAgainMs));
    }
  }

  /** If it is not heard, the hold ends by itself. */
  async #end(key: string, { ...end }: HoldEnd): Promise<void> {
    const place = this.#deps.cluster.placeOf(key);
    if (place.kind === 'there')
      await this.#deps.calls.call(place.node, heldPath, end, maxCallMs).catch(() => undefined);
  }
}

const mayBeRecorded = (error: unknown): boolean => (error as { retryable?: boolean }).retryable === true;
