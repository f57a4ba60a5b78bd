import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { HoldAnswer, HoldEnd, HoldQuestion } from './holds-elsewhere.ts';

export interface HeldHereDeps {
  cluster: Pick<Cluster, 'placeOf'>;
  clock: Clock;
}

/** What this node keeps. */
export interface Held {
  /**
   * @returns to be called once: with the position of what was recorded, or 0 if nothing was
   * @throws what {@link isRefusal} says is one, with the reason as its message
   */
  take: (question: HoldQuestion) => (position: bigint) => void;
  isRefusal: (error: unknown) => boolean;
}

/** The node of a command that takes longer asks again meanwhile. One that says nothing more of it has recorded it by then, or will not. */
const maxHoldMs = 60_000;

interface Hold {
  release: (position: bigint) => void;
  timer: TimerHandle;
}

/** What this node holds for commands of other nodes. */
export class HeldHere {
  readonly #deps: HeldHereDeps;
  readonly #held: Held;
  readonly #holds = new Map<string, Hold>();

  constructor(deps: HeldHereDeps, held: Held) {
    this.#deps = deps;
    this.#held = held;
  }

  hold(question: HoldQuestion): HoldAnswer {
    const { cluster, clock } = this.#deps;
    const { id, key } = question;
    if (cluster.placeOf(key).kind !== 'here') return { kind: 'elsewhere', reason: '' };
    try {
      const known = this.#holds.get(id);
      if (known !== undefined) clock.clearTimeout(known.timer);
      const release = known?.release ?? this.#held.take(question);
      const timer = clock.setTimeout(() => this.end({ id, position: '0' }), maxHoldMs);
      this.#holds.set(id, { release, timer });
      return { kind: 'held', reason: '' };
    } catch (error) {
      if (!(error instanceof Error && this.#held.isRefusal(error))) throw error;
      return { kind: 'refused', reason: error.message };
    }
  }

  end({ id, position }: HoldEnd): void {
    const hold = this.#holds.get(id);
    if (hold === undefined) return;
    this.#holds.delete(id);
    this.#deps.clock.clearTimeout(hold.timer);
    hold.release(BigInt(position));
  }

  /** The process ends. */
  stop(): void {
    for (const { timer } of this.#holds.values()) this.#deps.clock.clearTimeout(timer);
    this.#holds.clear();
  }
}
