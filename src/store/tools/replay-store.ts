import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventReader, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { sessionPrefix, type TransitionMetadata } from '../../../actors/session/events.ts';
import { checkTransition, type Drift, unreadable } from '../../../actors/session/replay.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import type { ReportProgress } from './progress.ts';

export interface StoreReplay {
  sessions: number;
  events: number;
  drift: number;
}

export interface ReplayStoreOptions {
  store: EventReader;
  /** Called for each difference as it is found: a broken store may have more than fits into memory. */
  onDrift: (drift: Drift) => void;
  onProgress?: ReportProgress;
}

/** What the next event of a stream goes on from. */
interface Before {
  revision: number;
  metadata: TransitionMetadata | undefined;
}

/**
 * Recomputes every transition of every session from the log with today's chart (AD6), in one pass over the order of
 * the whole store. May run while a gateway writes: what is recorded meanwhile is looked at as well, or not.
 */
export async function replayStore({ store, onDrift, onProgress }: ReplayStoreOptions): Promise<StoreReplay> {
  const countOf = await createEstimate(store);
  const sessions = new Map<string, Before>();
  const result: StoreReplay = { sessions: 0, events: 0, drift: 0 };
  for await (const event of store.readAll({ prefixes: [sessionPrefix] })) {
    const before = sessions.get(event.stream);
    const { metadata, problem } = check(event, before);
    sessions.set(event.stream, { revision: event.revision, metadata });
    result.events += 1;
    if (problem !== undefined) {
      result.drift += 1;
      onDrift({ stream: event.stream, revision: event.revision, type: event.type, problem });
    }
    onProgress?.(result.events, countOf(result.events, event.position));
  }
  result.sessions = sessions.size;
  return result;
}

/**
 * How many events there will be in the end, after so many up to a position. Counting them on a server would take as long
 * as replaying them: there, what has been gone past is taken for a sample of the rest.
 */
async function createEstimate(store: EventReader): Promise<(events: number, position: bigint) => number> {
  const newest = await store.newestPosition?.();
  if (newest !== undefined) {
    return (events, position) => {
      if (position >= newest) return events;
      return Math.max(events + 1, Math.round((events * Number(newest)) / Math.max(1, Number(position))));
    };
  }
  let counted = 0;
  // A stream that was truncated counts whole.
  for await (const { revision } of store.lastOfEach(sessionPrefix)) counted += revision + 1;
  return (events) => Math.max(events, counted);
}

function check(
  recorded: RecordedEvent,
  before: Before | undefined,
): { metadata: TransitionMetadata | undefined; problem: string | undefined } {
  const event = sessionCodec.decode(recorded);
  if (isUnreadable(event)) return { metadata: before?.metadata, problem: unreadable(event) };
  return { metadata: event.metadata, problem: gapBefore(recorded, before) ?? checkTransition(event, before?.metadata) };
}

function gapBefore({ revision }: RecordedEvent, before: Before | undefined): string | undefined {
  if (before === undefined || revision === before.revision + 1) return undefined;
  return `comes after revision ${before.revision}: something between them is missing`;
}
