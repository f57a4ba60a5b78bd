import { addParked } from '../stream/parked.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { ChatQueue, ChatQueues, Due } from './chat-queues.ts';
import type { OutboxProgress } from './outbox-progress.ts';
import { nextAttemptAt, patienceMs } from './retry-schedule.ts';

/** What all outboxes together have come to, since the start. */
export interface DeliveryCounts {
  delivered: number;
  failed: number;
  parked: number;
}

/** A chat whose first delivery has been tried. */
export interface Tried {
  queues: ChatQueues;
  chat: ChatQueue;
  due: Due;
  /** Milliseconds since 1970. */
  now: number;
  /** In [0, 1): spreads the next attempts. */
  fraction: () => number;
  counts: DeliveryCounts;
}

/** What is next in the chat, and the outbox as it is then. */
export function settleDelivery(state: OutboxProgress, tried: Tried, outcome: AttemptOutcome): OutboxProgress {
  if (outcome.kind === 'failed' || outcome.kind === 'gone') return fail(state, tried, outcome);
  if (outcome.kind === 'undeliverable') return park(state, tried, outcome.error);
  const { queues, chat, due, now, counts } = tried;
  chat.failing = undefined;
  queues.shift(chat);
  if (outcome.kind === 'nothing') return state;
  counts.delivered += 1;
  return { ...state, lastDelivered: { seq: due.seq, at: now } };
}

/** Has a chat wait without counting an attempt. */
export function putOff(chat: ChatQueue, now: number, until: number): void {
  const { since, attempts } = chat.failing ?? { since: now, attempts: 0 };
  chat.failing = { attempts, since, nextAt: until };
}

function fail(state: OutboxProgress, tried: Tried, outcome: AttemptOutcome & { error: string }): OutboxProgress {
  const { queues, chat, due, now, fraction, counts } = tried;
  const { error } = outcome;
  const { since, attempts: before } = chat.failing ?? { since: now, attempts: 0 };
  const attempts = before + 1;
  const nextAt = nextAttemptAt({
    now,
    attempts,
    deadline: Math.max(since, due.at) + patienceMs,
    retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined,
    fraction: fraction(),
  });
  counts.failed += 1;
  if (nextAt === undefined) {
    chat.failing = { attempts, since, nextAt: now };
    return park(state, tried, error);
  }
  chat.failing = { attempts, since, nextAt };
  queues.shrink(chat);
  return { ...state, lastError: { seq: due.seq, at: now, message: error } };
}

/** Gives a delivery up. If the chat was failing, the 24 h of what comes next go on from where they began. */
function park(state: OutboxProgress, { queues, chat, due, now, counts }: Tried, error: string): OutboxProgress {
  counts.parked += 1;
  if (chat.failing !== undefined) chat.failing = { attempts: 0, since: chat.failing.since, nextAt: now };
  queues.shift(chat);
  const lastError = { seq: due.seq, at: now, message: error };
  return { ...state, lastError, parked: addParked(state.parked, error, due.seq) };
}
