import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { erasedType, type Json, type RecordedEvent } from './event-store.ts';

/**
 * Decodes recorded events for every reader: an event becomes a typed event of the current shape, or is reported as
 * unreadable. No other code casts `data` or `metadata`.
 *
 * The metadata of an event may hold a `version` (absent: 1). A change of an event's shape raises the version of its
 * kind of stream and adds an upcaster from the version before. Recorded events are never rewritten.
 */

/** The kinds of stream that each session has: what a stream's name begins with, up to its first hyphen. */
export const streamKinds = ['session', 'delivery', 'outbox', 'send', 'vault'] as const;
/** The streams that there is one of. */
export const singleStreams = ['keys', 'followed'] as const;
/** The kinds of stream of what operators make: links for customers, webhooks of their own, and the places of these. */
export const operatorStreams = ['link', 'webhook', 'place'] as const;
/** The kinds of stream of what was used: `usage` by day, `limit` by key. */
export const usageStreams = ['usage', 'limit'] as const;
/** The streams of the gateways that share a store: who owns a partition, and who is there. They are about the present alone. */
export const clusterStreams = ['lease', 'node'] as const;
export type SessionStreamKind = (typeof streamKinds)[number];
export type StreamKind =
  | SessionStreamKind
  | (typeof singleStreams)[number]
  | (typeof operatorStreams)[number]
  | (typeof usageStreams)[number]
  | (typeof clusterStreams)[number];

/** The part of an event that its version is about. */
interface EventContent {
  type: string;
  data: Json;
  metadata: Json;
}

/** Why an event cannot be read. */
export type UnreadableReason =
  | NonNullable<RecordedEvent['damage']>
  /** It has no metadata: no gateway wrote it. */
  | 'no-metadata'
  /** A later version of the gateway wrote it. */
  | 'newer-version'
  /** Its type does not belong to this kind of stream. */
  | 'unknown-type'
  /** A field is missing or has the wrong type. */
  | 'wrong-shape'
  /** A sealed text in it does not open. */
  | 'broken-seal'
  /** It has no content: the erasure of its stream began and did not end. This is no fault. */
  | 'erased';

export interface Unreadable {
  kind: StreamKind;
  stream: string;
  revision: number;
  position: bigint;
  reason: UnreadableReason;
}

/** The work needs an event that cannot be read. */
export class UnreadableEventError extends Error {
  override name = 'UnreadableEventError';
  readonly unreadable: Unreadable;

  constructor(unreadable: Unreadable, options?: { cause: unknown }) {
    super(`event ${unreadable.revision} of ${unreadable.stream} cannot be read: ${unreadable.reason}`, options);
    this.unreadable = unreadable;
  }
}

/** Reports an event that could not be read. */
export type ReportUnreadable = (unreadable: Unreadable) => void;

/** The content of a decoded event. */
interface TypedContent {
  type: string;
  data: object;
  metadata: object;
}

/** An event with its place in the store. */
export type Placed<Event extends TypedContent> = Event & Omit<RecordedEvent, keyof TypedContent | 'damage'>;

export type Decoded<Event extends TypedContent> = Placed<Event> | Unreadable;

export const isUnreadable = (decoded: Decoded<TypedContent>): decoded is Unreadable => !('metadata' in decoded);

/** Converts the content of version n to version n + 1. Pure. If it throws, the event has the wrong shape. */
export type Upcaster = (content: EventContent) => EventContent;

/** JSON Schemas. */
export interface EventShape {
  /** By the type of the event. */
  readonly data: Readonly<Record<string, TSchema>>;
  readonly metadata: TSchema;
}

export interface EventCodec<Event extends TypedContent> {
  readonly kind: StreamKind;
  /** The version of events written today. */
  readonly version: number;
  /** The shape of today's events by type, as JSON Schema. */
  readonly shape: EventShape;
  decode(recorded: RecordedEvent): Decoded<Event>;
  /** Adds today's version to the metadata of a new event, which it changes and returns. */
  stamp<Metadata extends object>(metadata: Metadata): Metadata;
}

/** The check that every codec offers: whether an event can be read. */
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
  /** The first upcaster converts version 1 to 2, and so on: today's version is their number plus one. */
  upcasters: readonly Upcaster[];
  data: Schemas & Matching<Event, Schemas>;
  /** The metadata of every event of such a stream. */
  metadata: Same<Static<Metadata>, Event['metadata']> extends true ? Metadata : never;
}

const anObject = Compile(Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1 })) }));

/**
 * A codec checks events against the schemas and ignores fields that they do not name. An event of today's version is
 * returned without a copy.
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
    // An upcaster expects its own types: of another program's event it may throw.
    if (event === undefined) return isData.has(recorded.type) ? 'wrong-shape' : 'unknown-type';
    return faultOf(event) ?? event;
  };

  return {
    kind,
    version,
    shape: { data, metadata },
    decode(recorded) {
      const event = read(recorded);
      // Checked against the schemas of the event's type.
      if (typeof event !== 'string') return event as RecordedEvent & Placed<Event>;
      const { stream, revision, position } = recorded;
      return { kind, stream, revision, position, reason: event };
    },
    // In place: a copy of each event's metadata costs as much as its JSON.
    stamp: (given) => (version === 1 ? given : Object.assign(given, { version })),
  };
}
