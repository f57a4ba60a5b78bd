import { Type } from 'typebox';
import { createEventCodec, type Upcaster } from '../../../actors/ports/event-codec.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { ChatBehind, OutboxProgress, StoredReader } from './outbox-progress.ts';
import type { SeqRange } from './seq-ranges.ts';

/**
 * {@link ChatBehind} as it is stored, for thousands of chats: `from`, `count` and, if it is failing, `attempts`, `since`,
 * and the time from then to `nextAt`.
 */
type StoredChat = [number, number] | [number, number, number, number, number];

interface StoredProgress extends Omit<OutboxProgress, 'chats'> {
  chats: Record<string, StoredChat>;
}

/** Content of an event of an outbox's stream, or of that of a session's readers, in which each event has all of them. */
type OutboxEventContent = (
  | { type: 'OutboxMoved'; data: StoredProgress }
  | { type: 'ReadersMoved'; data: { readers: StoredReader[] } }
) & {
  /** When it was saved, milliseconds since 1970. */
  metadata: { at: number };
};

const milliseconds = Type.Number();

const data = {
  OutboxMoved: Type.Object({
    since: milliseconds,
    upTo: Type.Object({ seq: Type.Number(), revision: Type.Integer(), count: Type.Optional(Type.Integer()) }),
    chats: Type.Record(
      Type.String(),
      Type.Union([
        Type.Tuple([Type.Integer(), Type.Integer()]),
        Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), milliseconds, milliseconds]),
      ]),
    ),
    parked: Type.Array(
      Type.Object({
        error: Type.String(),
        ranges: Type.Array(Type.Unsafe<SeqRange>(Type.Tuple([Type.Number(), Type.Number()]))),
      }),
    ),
    lastDelivered: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds })),
    lastError: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds, message: Type.String() })),
  }),
  ReadersMoved: Type.Object({
    readers: Type.Array(
      Type.Object({
        key: Type.String(),
        since: milliseconds,
        wish: Type.Unsafe<Sealed>(Type.String()),
        place: Type.Integer(),
        leftAt: Type.Optional(milliseconds),
      }),
    ),
  }),
};

const metadata = Type.Object({ at: milliseconds });

const storedChat = ({ from, count, failing }: ChatBehind): StoredChat =>
  failing ? [from, count, failing.attempts, failing.since, failing.nextAt - failing.since] : [from, count];

function chatBehind([from, count, attempts, since, afterMs]: StoredChat): ChatBehind {
  if (attempts === undefined || since === undefined || afterMs === undefined) return { from, count };
  return { from, count, failing: { attempts, since, nextAt: since + afterMs } };
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

export const storedProgress = (progress: OutboxProgress): StoredProgress => ({
  ...progress,
  chats: mapValues(progress.chats, storedChat),
});

export const progressOf = (stored: StoredProgress): OutboxProgress => ({
  ...stored,
  chats: mapValues(stored.chats, chatBehind),
});

/** In version 1, chats were stored with the names of their fields. */
function withStoredChats(content: Parameters<Upcaster>[0]): ReturnType<Upcaster> {
  if (content.type !== 'OutboxMoved') return content;
  const older = content.data as unknown as OutboxProgress;
  return { ...content, data: storedProgress(older) as unknown as typeof content.data };
}

/** Reads the events of `outbox-{id}`. */
export const outboxCodec = createEventCodec<OutboxEventContent, typeof data, typeof metadata>({
  kind: 'outbox',
  upcasters: [withStoredChats],
  data,
  metadata,
});
