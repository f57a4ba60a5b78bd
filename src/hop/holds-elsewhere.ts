import type { Clock, Randomness, TimerHandle } from '../../actors/ports/clock.ts';
import { type Recorded, SessionNotActiveError } from '../../actors/runtime/sessions.ts';
import type { Cluster, ClusterNode } from '../cluster/cluster.ts';
import { awaitChange } from './await-change.ts';
import { type NodeCalls, NotAskableError } from './node-calls.ts';

/** What a command takes that all nodes share, and one of them keeps. */
export interface HoldQuestion {
  /** Of the hold: the same question may be asked again. */
  id: string;
  /** The text whose partition says who keeps it. */
  key: string;
  /** Who takes it. */
  holder: string;
}

/**
 * - `held`: it is the holder's
 * - `refused`: it may not have it, as the reason says
 * - `elsewhere`: another node keeps it
 */
export interface HoldAnswer {
  kind: 'held' | 'refused' | 'elsewhere';
  reason: string;
}

/** The command has ended. */
export interface HoldEnd {
  id: string;
  /** Of the event that it has recorded, as decimal digits; 0 if there is none. */
  position: string;
}

/** Kinds of holds: `POST` to the path asks for one, to `{path}/end` ends it. */
export const externalIdHolds = '/nodes/external-ids';
export const sessionLimitHolds = '/nodes/session-limits';

export interface HoldsElsewhereDeps {
  cluster: Cluster;
  calls: Pick<NodeCalls, 'call'>;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
}

const maxCallMs = 2_000;
/** As long as a request waits for a session that changes hands (CL5.3). */
const maxWaitMs = 5_000;
const lookAgainMs = 100;
/** The other node keeps it for a minute after it was asked last. */
const renewMs = 20_000;

/** Has another node keep for a command here what two commands may not take at once. */
export class HoldsElsewhere {
  readonly #deps: HoldsElsewhereDeps;
  readonly #path: string;

  constructor(deps: HoldsElsewhereDeps, path: string) {
    this.#deps = deps;
    this.#path = path;
  }

  /**
   * Runs a command that takes something.
   * @param about key and holder
   * @param refused makes the error for the other node's reason
   * @throws what `refused` makes. @throws {SessionNotActiveError} the node that keeps it does not answer
   */
  async during<T extends Recorded>(
    about: Omit<HoldQuestion, 'id'>,
    command: () => Promise<T>,
    refused: (reason: string) => Error,
  ): Promise<T> {
    const id = this.#deps.random.uuid();
    const question = { id, ...about };
    // Its own commands this node keeps apart itself.
    if (!(await this.#hold(question, refused))) return command();
    const stopRenewing = this.#renew(question);
    const end = (position: bigint): void =>
      void stopRenewing().then(() => this.#end(about.key, { id, position: String(position) }));
    try {
      const recorded = await command();
      end(recorded.position);
      return recorded;
    } catch (error) {
      // If it is recorded after all, the hold outlasts that.
      if (mayBeRecorded(error)) void stopRenewing();
      else end(0n);
      throw error;
    }
  }

  /** A command may take minutes, as a login does. @returns stops it, and resolves when no question is on its way */
  #renew(question: HoldQuestion): () => Promise<void> {
    const { cluster, clock } = this.#deps;
    let asking: Promise<unknown> = Promise.resolve();
    let timer: TimerHandle;
    const renewLater = (): void => {
      timer = clock.setTimeout(() => {
        const place = cluster.placeOf(question.key);
        if (place.kind === 'there') asking = this.#ask(place.node, question);
        renewLater();
      }, renewMs);
    };
    renewLater();
    return async () => {
      clock.clearTimeout(timer);
      await asking;
    };
  }

  /** @returns undefined: it has not answered */
  #ask(node: ClusterNode, { ...question }: HoldQuestion): Promise<HoldAnswer | 'not askable' | undefined> {
    return this.#deps.calls
      .call<{ kind: HoldAnswer['kind']; reason: string }>(node, this.#path, question, maxCallMs)
      .catch((error: unknown) => (error instanceof NotAskableError ? 'not askable' : undefined));
  }

  /** @returns false if this node keeps it itself, or a node of an older version, which keeps nothing (CL5.27) */
  async #hold(question: HoldQuestion, refused: (reason: string) => Error): Promise<boolean> {
    const { cluster, clock } = this.#deps;
    const until = clock.elapsed() + maxWaitMs;
    for (;;) {
      const place = cluster.placeOf(question.key);
      if (place.kind === 'here') return false;
      if (place.kind === 'there') {
        const answer = await this.#ask(place.node, question);
        if (answer === 'not askable') return false;
        if (answer?.kind === 'held') return true;
        if (answer?.kind === 'refused') throw refused(answer.reason);
      }
      const leftMs = until - clock.elapsed();
      if (leftMs <= 0) throw new SessionNotActiveError('the node that decides does not answer');
      await awaitChange(cluster, clock, Math.min(leftMs, lookAgainMs));
    }
  }

  /** If it is not heard, the hold ends by itself. */
  async #end(key: string, { ...end }: HoldEnd): Promise<void> {
    const place = this.#deps.cluster.placeOf(key);
    if (place.kind !== 'there') return;
    await this.#deps.calls.call(place.node, `${this.#path}/end`, end, maxCallMs).catch(() => undefined);
  }
}

const mayBeRecorded = (error: unknown): boolean => (error as { retryable?: boolean }).retryable === true;
