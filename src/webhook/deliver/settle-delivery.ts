import type { Failing, OutboxProgress } from '../stream/outbox-progress.ts';
import { addParked } from '../stream/parked.ts';
import type { Due } from './chat-queues.ts';
import { nextAttemptAt, patienceMs } from './retry-schedule.ts';
import type { TriedOutcome } from './try-delivery.ts';

/** Finished deliveries of a webhook whose attempts are kept: some 6 KB of its checkpoint. */
const maxRetried = 500;

/** Outcomes of all sessions' deliveries since the start. */
export interface DeliveryCounts {
  delivered: number;
  /** Attempts. */
  failed: number;
  parked: number;
}

/** The first delivery of a chat, which has been tried. */
export interface Tried {
  due: Pick<Due, 'seq' | 'at'>;
  /** Of its chat, before. */
  failing: Failing | undefined;
  parked: OutboxProgress['parked'];
  retried: OutboxProgress['retried'];
  /** Milliseconds since 1970. */
  now: number;
  /** In [0, 1): spreads the next attempts. Drawn only for a next attempt. */
  fraction: () => number;
}

interface Consequences {
  /** Of the outbox. */
  changed: Partial<Pick<OutboxProgress, 'parked' | 'lastDelivered' | 'lastError' | 'retried'>>;
  counted: (keyof DeliveryCounts)[];
}

/** The delivery is finished: the next one of its chat is due. */
interface Done extends Consequences {
  isDone: true;
  /** Of the chat, from now on. */
  failing: Failing | undefined;
}

/** The delivery waits for its next attempt. */
interface Waiting extends Consequences {
  isDone: false;
  failing: Failing;
}

/** The consequences of an attempt. */
export type Settled = Done | Waiting;

/** The chat's and the outbox's state after an attempt. Pure. */
export function settleDelivery(tried: Tried, outcome: TriedOutcome): Settled {
  switch (outcome.kind) {
    case 'nothing':
      return { changed: {}, failing: undefined, isDone: true, counted: [] };
    case 'delivered': {
      const lastDelivered = { seq: tried.due.seq, at: tried.now };
      const attempts = (tried.failing?.attempts ?? 0) + 1;
      return {
        changed: { lastDelivered, ...finished(tried, attempts) },
        failing: undefined,
        isDone: true,
        counted: ['delivered'],
      };
    }
    case 'undeliverable':
      return park(tried, outcome.error, tried.failing);
    case 'failed':
      return fail(tried, outcome.error, outcome.retryAfterMs);
    case 'gone':
      return fail(tried, outcome.error);
    case 'put-off': {
      const { now, failing = { since: now, attempts: 0 } } = tried;
      return { changed: {}, failing: { ...failing, nextAt: now + outcome.forMs }, isDone: false, counted: [] };
    }
  }
}

function fail(tried: Tried, error: string, retryAfterMs?: number): Settled {
  const { due, now } = tried;
  const { since, attempts: before } = tried.failing ?? { since: now, attempts: 0 };
  const attempts = before + 1;
  const deadline = Math.max(since, due.at) + patienceMs;
  const nextAt = nextAttemptAt({ now, attempts, deadline, retryAfterMs, fraction: tried.fraction() });
  if (nextAt === undefined) {
    const parked = park(tried, error, { attempts, since, nextAt: now });
    return { ...parked, counted: ['failed', ...parked.counted] };
  }
  return {
    changed: { lastError: { seq: due.seq, at: now, message: error } },
    failing: { attempts, since, nextAt, error },
    isDone: false,
    counted: ['failed'],
  };
}

/** If the chat was failing, the 24 h of its next delivery begin with the first failure. */
function park(tried: Tried, error: string, failing: Failing | undefined): Done {
  const { due, now, parked } = tried;
  const lastError = { seq: due.seq, at: now, message: error };
  const parkedNow = addParked(parked, error, due.seq);
  return {
    changed: { lastError, parked: parkedNow, ...finished(tried, failing?.attempts ?? 0) },
    failing: failing && { attempts: 0, since: failing.since, nextAt: now },
    isDone: true,
    counted: ['parked'],
  };
}

/** How many attempts a finished delivery took, if it took several. */
function finished({ due: { seq }, retried = [] }: Tried, attempts: number): Pick<OutboxProgress, 'retried'> {
  if (attempts <= 1) return {};
  const others = retried.filter(([other]) => other !== seq);
  return { retried: [...others, [seq, attempts] as [number, number]].slice(-maxRetried) };
}
