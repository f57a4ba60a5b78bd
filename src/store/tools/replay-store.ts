import {
  type EventDecoder,
  isUnreadable,
  type ReportUnreadable,
  type StreamKind,
  singleStreams,
  type Unreadable,
} from '../../../actors/ports/event-codec.ts';
import type { EventReader, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { sessionPrefix, type TransitionMetadata } from '../../../actors/session/events.ts';
import { checkTransition, type Drift } from '../../../actors/session/replay.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import type { ReportProgress } from './progress.ts';

export interface StoreReplay {
  /** Sessions that have an event that can be read. */
  sessions: number;
  /** Events of sessions that were recomputed. */
  events: number;
  drift: number;
  /** Unreadable events of every kind of stream. */
  unreadable: number;
}

export interface ReplayStoreOptions {
  store: EventReader;
  /** One for each kind of stream that is read, besides sessions. */
  decoders: readonly EventDecoder[];
  /** Called for each difference when it is found: a broken store may have more than fit into memory. */
  onDrift: (drift: Drift) => void;
  onUnreadable: ReportUnreadable;
  onProgress?: ReportProgress;
}

const isSingle = (kind: string): boolean => singleStreams.some((name) => name === (kind as StreamKind));

/** The event before, in the same stream. */
interface Before {
  revision: number;
  /** Undefined if the event cannot be read. */
  metadata: TransitionMetadata | undefined;
}

/**
 * Recomputes every transition of every session from the log with today's chart (AD6), and reads every other event of the
 * gateway (FA7), in one pass over the whole store. A gateway may be writing it; events recorded meanwhile may be missed.
 */
export async function replayStore(options: ReplayStoreOptions): Promise<StoreReplay> {
  const { store, decoders, onDrift, onUnreadable, onProgress } = options;
  const decoderOf = new Map(decoders.map((decoder) => [decoder.kind as string, decoder]));
  const prefixes = [sessionPrefix, ...decoders.map(({ kind }) => (isSingle(kind) ? kind : `${kind}-`))];
  const countOf = await createEstimate(store, prefixes);
  const sessions = new Map<string, Before>();
  const result: StoreReplay = { sessions: 0, events: 0, drift: 0, unreadable: 0 };
  const note = (unreadable: Unreadable): void => {
    result.unreadable += 1;
    onUnreadable(unreadable);
  };
  const replaySession = (recorded: RecordedEvent): void => {
    const { stream, revision, type } = recorded;
    const before = sessions.get(stream);
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      // A stream of another program is no session.
      if (before !== undefined) sessions.set(stream, { revision, metadata: undefined });
      note(event);
      return;
    }
    sessions.set(stream, { revision, metadata: event.metadata });
    result.events += 1;
    const problem = gapBefore(event, before) ?? checkTransition(event, before?.metadata);
    if (problem === undefined) return;
    result.drift += 1;
    onDrift({ stream, revision, type, problem });
  };
  const read = (recorded: RecordedEvent): void => {
    const [kind = ''] = recorded.stream.split('-', 1);
    // Another program's stream may begin as one of ours that there is one of.
    if (isSingle(kind) && recorded.stream !== kind) return;
    const event = decoderOf.get(kind)?.decode(recorded);
    if (event !== undefined && isUnreadable(event)) note(event);
  };

  let seen = 0;
  for await (const recorded of store.readAll({ prefixes })) {
    if (recorded.stream.startsWith(sessionPrefix)) replaySession(recorded);
    else read(recorded);
    seen += 1;
    onProgress?.(seen, countOf(seen, recorded.position));
  }
  result.sessions = sessions.size;
  return result;
}

/**
 * Estimates the total of events from the number up to a position. Counting them on a server would take as long as the
 * replay, so the events read so far serve as a sample of the rest.
 */
async function createEstimate(
  store: EventReader,
  prefixes: readonly string[],
): Promise<(events: number, position: bigint) => number> {
  const newest = await store.newestPosition?.();
  if (newest !== undefined) {
    return (events, position) => {
      if (position >= newest) return events;
      return Math.max(events + 1, Math.round((events * Number(newest)) / Math.max(1, Number(position))));
    };
  }
  let counted = 0;
  // Truncated events are counted too.
  for (const prefix of prefixes) {
    for await (const { revision } of store.lastOfEach(prefix)) counted += revision + 1;
  }
  return (events) => Math.max(events, counted);
}

function gapBefore({ revision }: Pick<RecordedEvent, 'revision'>, before: Before | undefined): string | undefined {
  if (before === undefined || revision === before.revision + 1) return undefined;
  return `comes after revision ${before.revision}: something between them is missing`;
}
