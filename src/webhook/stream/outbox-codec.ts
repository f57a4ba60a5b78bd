import { Type } from 'typebox';
import { createEventCodec, type Upcaster } from '../../../actors/ports/event-codec.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { ChatBehind, OutboxProgress, Replay, StoredReader } from './outbox-progress.ts';
import type { SeqRange } from './seq-ranges.ts';

/**
 * {@link ChatBehind} as it is stored, for thousands of chats: `from`, `count` and, if it is failing, `attempts`, `since`,
 * the time from then to `nextAt`, and the place of its `error` in `errors`.
 */
type StoredChat =
  | [number, number]
  | [number, number, number, number, number]
  | [number, number, number, number, number, number];

interface StoredProgress extends Omit<OutboxProgress, 'chats' | 'replay'> {
  chats: Record<string, StoredChat>;
  replay?: Omit<Replay, 'chats'> & { chats: Record<string, StoredChat> };
  /** Why chats are failing: thousands of them fail for the same reason. */
  errors?: string[];
}

/** Different reasons of one webhook's chats. Beyond them a reason is not kept. */
const maxErrors = 100;

/** Content of an event of an outbox's stream, or of that of a session's readers, in which each event has all of them. */
type OutboxEventContent = (
  | { type: 'OutboxMoved'; data: StoredProgress }
  | { type: 'ReadersMoved'; data: { readers: StoredReader[] } }
) & {
  /** When it was saved, milliseconds since 1970. */
  metadata: { at: number };
};

const milliseconds = Type.Number();

const storedChats = Type.Record(
  Type.String(),
  Type.Union([
    Type.Tuple([Type.Integer(), Type.Integer()]),
    Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), milliseconds, milliseconds]),
    Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), milliseconds, milliseconds, Type.Integer()]),
  ]),
);
const ranges = Type.Array(Type.Unsafe<SeqRange>(Type.Tuple([Type.Number(), Type.Number()])));
const countedPlace = Type.Object({ seq: Type.Number(), revision: Type.Integer(), count: Type.Integer() });

const data = {
  OutboxMoved: Type.Object({
    since: milliseconds,
    upTo: Type.Object({ seq: Type.Number(), revision: Type.Integer(), count: Type.Optional(Type.Integer()) }),
    chats: storedChats,
    errors: Type.Optional(Type.Array(Type.String())),
    parked: Type.Array(
      Type.Object({
        error: Type.String(),
        ranges,
      }),
    ),
    lastDelivered: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds })),
    lastError: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds, message: Type.String() })),
    retried: Type.Optional(
      Type.Array(Type.Unsafe<[seq: number, attempts: number]>(Type.Tuple([Type.Number(), Type.Integer()]))),
    ),
    replay: Type.Optional(Type.Object({ ranges, upTo: countedPlace, chats: storedChats, end: countedPlace })),
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

/** @param errors gets the error of the chat, if it is another one */
function storedChat({ from, count, failing }: ChatBehind, errors: Map<string, number>): StoredChat {
  if (failing === undefined) return [from, count];
  const { attempts, since, nextAt, error } = failing;
  const place = error === undefined ? undefined : placeOf(error, errors);
  const stored = [from, count, attempts, since, nextAt - since] as const;
  return place === undefined ? [...stored] : [...stored, place];
}

function placeOf(error: string, errors: Map<string, number>): number | undefined {
  if (!errors.has(error) && errors.size < maxErrors) errors.set(error, errors.size);
  return errors.get(error);
}

function chatBehind(
  [from, count, attempts, since, afterMs, place = -1]: StoredChat,
  errors: readonly string[],
): ChatBehind {
  if (attempts === undefined || since === undefined || afterMs === undefined) return { from, count };
  const error = errors[place];
  return { from, count, failing: { attempts, since, nextAt: since + afterMs, ...(error !== undefined && { error }) } };
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

export function storedProgress({ replay, ...progress }: OutboxProgress): StoredProgress {
  const errors = new Map<string, number>();
  const stored = (chats: OutboxProgress['chats']): StoredProgress['chats'] =>
    mapValues(chats, (chat) => storedChat(chat, errors));
  return {
    ...progress,
    chats: stored(progress.chats),
    ...(replay && { replay: { ...replay, chats: stored(replay.chats) } }),
    ...(errors.size > 0 && { errors: [...errors.keys()] }),
  };
}

export function progressOf({ errors = [], replay, ...stored }: StoredProgress): OutboxProgress {
  const opened = (chats: StoredProgress['chats']): OutboxProgress['chats'] =>
    mapValues(chats, (chat) => chatBehind(chat, errors));
  return {
    ...stored,
    chats: opened(stored.chats),
    ...(replay && { replay: { ...replay, chats: opened(replay.chats) } }),
  };
}

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
