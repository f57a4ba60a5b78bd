import { isRetryable } from '../../../../actors/kit/retryable.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import { type EventStore, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import type { Ownership, Partitions } from '../../../../actors/ports/ownership.ts';
import type { OwnedPart } from '../../../../src/cluster/owned-part.ts';
import { sessionStreamOf } from './fenced-log.ts';

interface SimulatedPartDeps {
  store: EventStore;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
  ownership: () => Ownership;
  node: string;
  sessions: readonly string[];
  count: (name: string) => void;
}

const retryMs = 300;

/** What acts for sessions, as ADR 20 has it: it appends itself as their owner first, and then events of its own. */
export class SimulatedPart implements OwnedPart {
  readonly #deps: SimulatedPartDeps;
  /** By session: the epoch and the revision of its stream's end. */
  readonly #owned = new Map<string, { epoch: number; revision: number }>();
  readonly #writing = new Set<string>();

  constructor(deps: SimulatedPartDeps) {
    this.#deps = deps;
  }

  async take(partitions: Partitions): Promise<void> {
    const sessions = this.#deps.sessions.filter((id) => partitions.has(id));
    await Promise.all(sessions.map((id) => this.#adopt(id, partitions)));
  }

  async release(partitions: Partitions, isLost: boolean): Promise<void> {
    for (const id of this.#deps.sessions) if (partitions.has(id)) this.#owned.delete(id);
    if (isLost) return;
    while ([...this.#writing].some((id) => partitions.has(id))) await sleep(this.#deps.clock, 10);
  }

  /** Writes an event for each session that it has. */
  act(): void {
    for (const id of this.#owned.keys()) if (!this.#writing.has(id)) void this.#write(id);
  }

  async #adopt(id: string, partitions: Partitions): Promise<void> {
    const { store, random, node, clock } = this.#deps;
    while (partitions.has(id)) {
      try {
        const last = await store.last(sessionStreamOf(id));
        // Read first: a revision that is read while the session is owned is of the time before the next owner.
        const epoch = this.#epochOf(id);
        if (epoch === undefined) return;
        const event = { id: random.uuid(), type: 'OwnerChanged', data: { node, epoch }, metadata: {} };
        const { revision } = await store.append(sessionStreamOf(id), last?.revision ?? 'no-stream', [event]);
        if (partitions.has(id) && this.#epochOf(id) === epoch) this.#owned.set(id, { epoch, revision });
        return;
      } catch (error) {
        if (error instanceof WrongExpectedRevisionError) this.#deps.count('adopted again');
        else if (!isRetryable(error)) throw error;
        else await sleep(clock, retryMs);
      }
    }
  }

  async #write(id: string): Promise<void> {
    const { store, random, node } = this.#deps;
    const owned = this.#owned.get(id);
    if (owned === undefined || this.#epochOf(id) !== owned.epoch) return;
    this.#writing.add(id);
    try {
      const event = { id: random.uuid(), type: 'Happened', data: { node, epoch: owned.epoch }, metadata: {} };
      owned.revision = (await store.append(sessionStreamOf(id), owned.revision, [event])).revision;
      this.#deps.count('acted');
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError) this.#deps.count('refused');
      else if (!isRetryable(error)) throw error;
      const last = await store.last(sessionStreamOf(id)).catch(() => undefined);
      if (last !== undefined && this.#epochOf(id) === owned.epoch) owned.revision = last.revision;
    } finally {
      this.#writing.delete(id);
    }
  }

  #epochOf(id: string): number | undefined {
    const ownership = this.#deps.ownership();
    return ownership.owns(id) ? ownership.epochOf(id) : undefined;
  }
}
