import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { ExternalIdUsedError, type Sessions } from '../../actors/runtime/sessions.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { HoldAnswer, HoldEnd, HoldQuestion } from './external-ids.ts';

export interface HeldExternalIdsDeps {
  cluster: Pick<Cluster, 'placeOf'>;
  sessions: Pick<Sessions, 'holdExternalId'>;
  clock: Clock;
}

/** A node that says nothing of its session any more has recorded the ID by then, or will not. */
const maxHoldMs = 60_000;

interface Hold {
  release: (position: bigint) => void;
  timer: TimerHandle;
}

/** The IDs that this node holds for sessions of other nodes. */
export class HeldExternalIds {
  readonly #deps: HeldExternalIdsDeps;
  readonly #holds = new Map<string, Hold>();

  constructor(deps: HeldExternalIdsDeps) {
    this.#deps = deps;
  }

  hold({ id, key, sessionId }: HoldQuestion): HoldAnswer {
    const { cluster, sessions, clock } = this.#deps;
    if (cluster.placeOf(key).kind !== 'here') return { kind: 'elsewhere', reason: '' };
    if (this.#holds.has(id)) return { kind: 'held', reason: '' };
    try {
      const release = sessions.holdExternalId(key, sessionId);
      const timer = clock.setTimeout(() => this.end({ id, position: '0' }), maxHoldMs);
      this.#holds.set(id, { release, timer });
      return { kind: 'held', reason: '' };
    } catch (error) {
      if (!(error instanceof ExternalIdUsedError)) throw error;
      return { kind: 'used', reason: error.message };
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
