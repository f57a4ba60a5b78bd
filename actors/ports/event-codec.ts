import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { erasedType, type Json, type RecordedEvent } from './event-store.ts';

/**
 * What stands between a store and whoever reads it: a recorded event becomes an event of today's shape, or is said to be
 * unreadable. Nothing else casts `data` or `metadata`.
 *
 * Each event's metadata may hold a `version` (absent: 1). A change of what an event holds raises the version of its kind
 * of stream and adds an upcaster from the version before; what was recorded is never rewritten.
 */

/** The gateway's kinds of stream: what a stream's name begins with, up to its first hyphen. */
export const streamKinds = ['session', 'delivery', 'outbox', 'send', 'vault'] as const;
export type StreamKind = (typeof streamKinds)[number];

/** The part of an event that its version is about. */
interface EventContent {
  type: string;
  data: Json;
  metadata: Json;
}

/** Why an event cannot be read. */
export type UnreadableReason =
  | NonNullable<RecordedEvent['damage']>
  /** It has no metadata: no gateway has written it. */
  | 'no-metadata'
  /** A later version of the gateway has written it. */
  | 'newer-version'
  /** Its type is none of this kind of stream. */
  | 'unknown-type'
  /** Something in it is missing, or is not what its type says. */
  | 'wrong-shape'
  /** Something sealed in it does not open. */
  | 'broken-seal'
  /** It says nothing: the erasure of its stream was begun and has not ended. No fault of anyone's. */
  | 'erased';

export interface Unreadable {
  kind: StreamKind;
  stream: string;
  revision: number;
  position: bigint;
  reason: UnreadableReason;
}

/** The work cannot be done without an event that cannot be read. */
export class UnreadableEventError extends Error {
  override name = 'UnreadableEventError';
  readonly unreadable: Unreadable;

  constructor(unreadable: Unreadable, options?: { cause: unknown }) {
    super(`event ${unreadable.revision} of ${unreadable.stream} cannot be read: ${unreadable.reason}`, options);
    this.unreadable = unreadable;
  }
}

/** Takes note of an event that could not be read. */
export type ReportUnreadable = (unreadable: Unreadable) => void;

/** What can be said of the content of an event once it has been read. */
interface TypedContent {
  type: string;
  data: object;
  metadata: object;
}

/** An event with the place that it has in a store. */
export type Placed<Event extends TypedContent> = Event & Omit<RecordedEvent, keyof TypedContent | 'damage'>;

export type Decoded<Event extends TypedContent> = Placed<Event> | Unreadable;

export const isUnreadable = (decoded: Decoded<TypedContent>): decoded is Unreadable => !('metadata' in decoded);

/** Makes the content of version n + 1 of that of version n. Pure. An event that it throws on has the wrong shape. */
export type Upcaster = (content: EventContent) => EventContent;

export interface EventCodec<Event extends TypedContent> {
  readonly kind: StreamKind;
  /** Of the events that are written today. */
  readonly version: number;
  /** What today's events hold, by type, as JSON Schema. */
  readonly shape: Readonly<Record<string, { data: TSchema; metadata: TSchema }>>;
  decode(recorded: RecordedEvent): Decoded<Event>;
  /** The metadata of an event to be written: with today's version in it. */
  stamp<Metadata extends object>(metadata: Metadata): Metadata;
}

/** What any codec can say of any event: whether it can be read. */
export type EventDecoder = Pick<EventCodec<TypedContent>, 'kind' | 'decode'>;

/** The schemas of an event's data by its type; each must say what the event's own TypeScript type says. */
type DataSchemas<Event extends TypedContent> = { [T in Event['type']]: TSchema };
type DataOf<Event extends TypedContent, T> = Extract<Event, { type: T }>['data'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Matching<Event extends TypedContent, Schemas extends DataSchemas<Event>> = {
  [T in Event['type']]: Same<Static<Schemas[T]>, DataOf<Event, T>> extends true ? Schemas[T] : never;
};

export interface EventCodecOptions<
  Event extends TypedContent,
  Schemas extends DataSchemas<Event>,
  Metadata extends TObject,
> {
  kind: StreamKind;
  /** The first one goes from version 1 to 2, and so on: today's version is one more than there are. */
  upcasters: readonly Upcaster[];
  data: Schemas & Matching<Event, Schemas>;
  /** The same for every event of such a stream. */
  metadata: Same<Static<Metadata>, Event['metadata']> extends true ? Metadata : never;
}

const anObject = Compile(Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1 })) }));

/**
 * A codec checks what it reads against the schemas, and lets what they don't name pass. An event of today's version is
 * returned as it is, without a copy.
 */
export function createEventCodec<
  Event extends TypedContent,
  Schemas extends DataSchemas<Event>,
  Metadata extends TObject,
>({ kind, upcasters, data, metadata }: EventCodecOptions<Event, Schemas, Metadata>): EventCodec<Event> {
  const version = upcasters.length + 1;
  const schemas = new Map(Object.entries<TSchema>(data));
  const isMetadata = Compile(metadata as TObject);
  const isData = new Map([...schemas].map(([type, schema]) => [type, Compile(schema)]));

  const upcast = (recorded: RecordedEvent, from: number): RecordedEvent | undefined => {
    try {
      const content = upcasters.slice(from - 1).reduce<EventContent>((older, toNext) => toNext(older), recorded);
      return { ...recorded, ...content };
    } catch {
      return undefined;
    }
  };

  const faultOf = (content: EventContent): UnreadableReason | undefined => {
    const isDataOfType = isData.get(content.type);
    if (isDataOfType === undefined) return 'unknown-type';
    return isMetadata.Check(content.metadata) && isDataOfType.Check(content.data) ? undefined : 'wrong-shape';
  };

  const read = (recorded: RecordedEvent): RecordedEvent | UnreadableReason => {
    if (recorded.damage !== undefined) return recorded.damage;
    if (recorded.type === erasedType) return 'erased';
    if (recorded.metadata === null) return 'no-metadata';
    if (!anObject.Check(recorded.metadata)) return 'wrong-shape';
    const { version: from = 1 } = recorded.metadata;
    if (from > version) return 'newer-version';
    const event = from === version ? recorded : upcast(recorded, from);
    if (event === undefined) return 'wrong-shape';
    return faultOf(event) ?? event;
  };

  return {
    kind,
    version,
    shape: Object.fromEntries([...schemas].map(([type, schema]) => [type, { data: schema, metadata }])),
    decode(recorded) {
      const event = read(recorded);
      // Checked against the schemas, which are of the event's type.
      if (typeof event !== 'string') return event as RecordedEvent & Placed<Event>;
      const { stream, revision, position } = recorded;
      return { kind, stream, revision, position, reason: event };
    },
    stamp: (given) => (version === 1 ? given : { ...given, version }),
  };
}
