import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import { convertGrpcRecord } from '@kurrent/kurrentdb-client/dist/utils/convertGrpcEvent.js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { erasedType, type Json, type RecordedEvent } from '../../../../actors/ports/event-store.ts';

/**
 * The client's event; but if its `data` should be JSON and is not, `data` is the bytes. The client would return their
 * text, which looks like a JSON string. For such `metadata` the client returns bytes itself.
 */
export function clientEvent(record: streams.ReadResp.ReadEvent.RecordedEvent): ClientEvent {
  const event = convertGrpcRecord(record);
  if (!event.isJson || typeof event.data !== 'string') return event;
  const bytes = record.getData_asU8();
  return isJson(bytes) ? event : { ...event, data: bytes as never };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
  }
}

/** Undefined if there is no event, or it is the mark of an erasure. */
export function recordedEvent(event: ClientEvent | undefined): RecordedEvent | undefined {
  return event === undefined || event.type === erasedType ? undefined : anyEvent(event);
}

/** As {@link recordedEvent}, but with the mark of an erasure. */
export function anyEvent(event: ClientEvent): RecordedEvent {
  const { id, type, streamId, revision, position, created, data, metadata } = event;
  const damage = damageOf(event);
  return {
    id,
    type,
    data: damage === undefined ? (data as Json) : null,
    metadata: damage === undefined ? ((metadata ?? null) as Json) : null,
    stream: streamId,
    revision: Number(revision),
    position: position?.commit ?? 0n,
    created: created.getTime(),
    ...(damage !== undefined && { damage }),
  };
}

function damageOf({ isJson: isMarked, data, metadata }: ClientEvent): RecordedEvent['damage'] {
  if (!isMarked) return 'not-json';
  return (data as unknown) instanceof Uint8Array || metadata instanceof Uint8Array ? 'broken-json' : undefined;
}

/** The stream that holds a stream's metadata. */
export const metadataStream = (stream: string): string => `$$${stream}`;
export const metadataType = '$metadata';

/** A stream's metadata: settings of the server, and any other values. `$tb`: the first revision that is shown. */
export type StreamSettings = { [name: string]: Json | undefined; $tb?: number };

/** The metadata in an event of a metadata stream; empty if it is not a JSON object. */
export function settingsIn({ data }: ClientEvent): StreamSettings {
  const isObject = data instanceof Object && !(data instanceof Uint8Array) && !Array.isArray(data);
  return isObject ? (data as StreamSettings) : {};
}

/**
 * `$tb` of a deleted stream is `EventNumber.DeletedStream`, 2^63 - 1. JavaScript rounds it, so anything above the safe
 * integers counts.
 */
export const isDeleted = ({ $tb = 0 }: StreamSettings): boolean => $tb > Number.MAX_SAFE_INTEGER;
