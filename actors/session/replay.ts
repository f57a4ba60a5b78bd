import { isDeepStrictEqual } from 'node:util';
import { isUnreadable, type Unreadable } from '../ports/event-codec.ts';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { TransitionMetadata } from './events.ts';
import { sessionLifecycle } from './lifecycle.ts';
import { type RecordedSessionEvent, sessionCodec } from './session-codec.ts';
import { factOf, transitionMetadata } from './transition-event.ts';

export interface Drift {
  stream: string;
  revision: number;
  type: string;
  problem: string;
}

export interface Replayed {
  events: number;
  drift: Drift[];
  /** The last recorded metadata; undefined without events. */
  last?: TransitionMetadata;
}

/**
 * Recomputes every transition of one session from its recorded facts and says where the record differs (AD6). Takes
 * the events in their order. After events that were truncated, or one that cannot be read, it starts again from what the next
 * one says.
 */
export async function replay(events: AsyncIterable<RecordedEvent> | Iterable<RecordedEvent>): Promise<Replayed> {
  const result: Replayed = { events: 0, drift: [] };
  let before: TransitionMetadata | undefined;
  for await (const recorded of events) {
    const event = sessionCodec.decode(recorded);
    const problem = isUnreadable(event) ? unreadable(event) : checkTransition(event, before);
    if (problem !== undefined) {
      result.drift.push({ stream: recorded.stream, revision: recorded.revision, type: recorded.type, problem });
    }
    result.events += 1;
    before = isUnreadable(event) ? undefined : event.metadata;
    if (before !== undefined) result.last = before;
  }
  return result;
}

/** The text by which a replay names an unreadable event. */
export const unreadable = ({ reason }: Pick<Unreadable, 'reason'>): string => `cannot be read: ${reason}`;

/**
 * Recomputes one transition from what was recorded before it (undefined: nothing, or nothing is left). Returns what is
 * wrong with it, if anything.
 */
export function checkTransition(
  event: RecordedSessionEvent,
  before: TransitionMetadata | undefined,
): string | undefined {
  const recorded = event.metadata;
  if (before === undefined && event.revision > 0) return undefined;
  const fact = factOf(event);
  if ((fact.type === 'SessionCreated') !== (before === undefined)) return 'is not how a session begins';
  const step =
    before === undefined ? sessionLifecycle.initialStep() : sessionLifecycle.nextStep(before.to, before.context, fact);
  if (step === undefined) return `changes nothing in ${before?.to}, yet was recorded`;
  const recomputed = transitionMetadata(before, fact, step, recorded);
  for (const key of compared) {
    if (!isDeepStrictEqual(recorded[key], recomputed[key])) {
      return `${key} was recorded as ${JSON.stringify(recorded[key])}, recomputed ${JSON.stringify(recomputed[key])}`;
    }
  }
  if (recomputed.lateMs !== undefined && recomputed.lateMs < 0) return 'fired before it was due';
  return undefined;
}

const compared = ['from', 'to', 'since', 'reason', 'context', 'proxy', 'deadlines', 'effects', 'lateMs'] as const;
