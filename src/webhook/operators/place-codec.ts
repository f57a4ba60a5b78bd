import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';
import type { SeqRange } from '../stream/seq-ranges.ts';

/** The stream of the progress of an operators' webhook. Its last event is the complete progress. */
export const placeStream = (id: string): string => `place-${id}`;

/** A session with events that are not delivered yet. */
export interface SessionBehind {
  /** Revisions of its log: of the first and the last of these events. */
  from: number;
  to: number;
  count: number;
  failing?: { attempts: number; since: number; nextAt: number };
}

/** Events of a session that are sent once more. */
export interface SessionReplay {
  /** Revisions of its log: of the first and the last event of each, in order. */
  ranges: SeqRange[];
  count: number;
  failing?: SessionBehind['failing'];
}

/** An event that was given up. */
export interface ParkedEvent {
  session: string;
  /** Its number in the session's log, from 1. */
  seq: number;
  /** When it was given up, milliseconds since 1970. */
  at: number;
  error: string;
}

export interface OperatorProgress {
  /** Position of the store up to which all is delivered or given up, except for sessions that are behind. */
  upTo: string;
  /** By session. */
  behind: Record<string, SessionBehind>;
  /** By session. Absent in a place that an earlier version saved. */
  replay?: Record<string, SessionReplay>;
  /** The newest that were given up. */
  parked: ParkedEvent[];
  /** How many were given up in all, but for those that were sent once more. */
  parkedCount: number;
  lastDelivered?: number;
  lastError?: { at: number; message: string };
}

/** {@link SessionBehind} as it is stored, for thousands of sessions. */
type StoredBehind = [number, number, number] | [number, number, number, number, number, number];
type StoredPlace = Omit<OperatorProgress, 'behind'> & { behind: Record<string, StoredBehind> };

interface PlaceEventContent {
  type: 'PlaceMoved';
  data: StoredPlace;
  /** When it was saved, milliseconds since 1970. */
  metadata: { at: number };
}

const milliseconds = Type.Number();
const revisions = [Type.Integer(), Type.Integer(), Type.Integer()] as const;
const data = {
  PlaceMoved: Type.Object({
    upTo: Type.String({ pattern: String.raw`^\d{1,20}$` }),
    behind: Type.Record(
      Type.String(),
      Type.Union([Type.Tuple([...revisions]), Type.Tuple([...revisions, Type.Integer(), milliseconds, milliseconds])]),
    ),
    replay: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          ranges: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
          count: Type.Integer(),
          failing: Type.Optional(Type.Object({ attempts: Type.Integer(), since: milliseconds, nextAt: milliseconds })),
        }),
      ),
    ),
    parked: Type.Array(
      Type.Object({ session: Type.String(), seq: Type.Integer(), at: milliseconds, error: Type.String() }),
    ),
    parkedCount: Type.Integer(),
    lastDelivered: Type.Optional(milliseconds),
    lastError: Type.Optional(Type.Object({ at: milliseconds, message: Type.String() })),
  }),
};

const metadata = Type.Object({ at: milliseconds });

/** Reads the events of `place-{id}`. */
export const placeCodec = createEventCodec<PlaceEventContent, typeof data, typeof metadata>({
  kind: 'place',
  upcasters: [],
  data,
  metadata,
});

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

export const storedPlace = (progress: OperatorProgress): StoredPlace => ({
  ...progress,
  behind: mapValues(
    progress.behind,
    ({ from, to, count, failing }): StoredBehind =>
      failing ? [from, to, count, failing.attempts, failing.since, failing.nextAt] : [from, to, count],
  ),
});

export const progressOfPlace = (stored: StoredPlace): OperatorProgress => ({
  ...stored,
  behind: mapValues(
    stored.behind,
    ([from, to, count, attempts, since, nextAt]): SessionBehind =>
      attempts === undefined || since === undefined || nextAt === undefined
        ? { from, to, count }
        : { from, to, count, failing: { attempts, since, nextAt } },
  ),
});
