import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Cluster, NodeReport } from '../cluster/cluster.ts';
import type { AccountMessage, AccountSends } from '../telegram/port/updates.ts';
import { NodeAwayError, type NodeCalls } from './node-calls.ts';

export const sentPath = '/nodes/sent';

/** `POST /nodes/sent`: what a node knows of a message. */
export interface SentAnswer {
  kind: 'sent' | 'in flight' | 'unknown';
}

export interface SentElsewhereDeps {
  cluster: Pick<Cluster, 'nodes'>;
  calls: Pick<NodeCalls, 'call'>;
  clock: Clock;
}

/** A node that is asked waits for so long for what is in flight, before it says so. */
const answerMs = 500;
/** A node that takes longer does not answer. */
const maxCallMs = 2_000;
/** As long as a session waits for the sends of its own process. */
const maxWaitMs = 35_000;

/** Asks the other nodes whether they have sent a message, which Telegram tells to each session of its account (WH3). */
export class SentElsewhere {
  readonly #deps: SentElsewhereDeps;
  /** By the name of a node: when it did not answer, by the clock's `elapsed()`. */
  readonly #failedAt = new Map<string, number>();

  constructor(deps: SentElsewhereDeps) {
    this.#deps = deps;
  }

  /** A node that does not answer has sent nothing, until it is heard again. */
  async isSent(message: AccountMessage, signal: LightAbortSignal): Promise<boolean> {
    const asked = this.#others().map(async (node) => {
      if (!(await this.#hasSent(node, message, signal))) throw new Error('it has not sent it');
    });
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  async #hasSent(node: NodeReport, { ...message }: AccountMessage, signal: LightAbortSignal): Promise<boolean> {
    const { calls, clock } = this.#deps;
    const until = clock.elapsed() + maxWaitMs;
    try {
      while (clock.elapsed() < until && !signal.aborted) {
        const { kind } = await calls.call<{ kind: SentAnswer['kind'] }>(node, sentPath, message, maxCallMs);
        if (kind !== 'in flight') return kind === 'sent';
      }
    } catch {
      this.#failedAt.set(node.name, clock.elapsed());
    }
    return false;
  }

  #others(): NodeReport[] {
    const now = this.#deps.clock.elapsed();
    const others = this.#deps.cluster.nodes().filter(({ isSelf }) => !isSelf);
    for (const name of this.#failedAt.keys()) {
      if (!others.some((other) => other.name === name)) this.#failedAt.delete(name);
    }
    return others.filter(({ name, heardOfMsAgo }) => now - heardOfMsAgo > (this.#failedAt.get(name) ?? -Infinity));
  }
}

/** What this node answers. */
export async function sentHere(
  { sends, clock }: { sends: Pick<AccountSends, 'standingOf'>; clock: Clock },
  message: AccountMessage,
): Promise<SentAnswer> {
  const standing = sends.standingOf(message);
  if (standing.kind !== 'in flight') return { kind: standing.kind };
  const late = (): Error => new NodeAwayError('sends are in flight');
  await withTimeout(clock, answerMs, late, () => standing.ended).catch(() => undefined);
  return { kind: sends.standingOf(message).kind };
}
