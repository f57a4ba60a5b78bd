import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import { convertGrpcRecord } from '@kurrent/kurrentdb-client/dist/utils/convertGrpcEvent.js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { erasedType, type Json, type RecordedEvent } from '../../../../actors/ports/event-store.ts';

/**
 * An event as the client reads it off the protocol, but with the bytes as `data` if they should be JSON and are not: the
 * client gives their text then, which could be a JSON string as well. Of `metadata` it gives the bytes itself.
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

/** Undefined if there is none, or it is the mark of an erasure. */
export function recordedEvent(event: ClientEvent | undefined): RecordedEvent | undefined {
  return event === undefined || event.type === erasedType ? undefined : anyEvent(event);
}

/** The mark of an erasure too. */
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

/** Where what is said about a stream stands. */
export const metadataStream = (stream: string): string => `$$${stream}`;
export const metadataType = '$metadata';

/** What a stream's metadata says; the settings of the server, and whatever else somebody has written there. */
export type StreamSettings = { [name: string]: Json | undefined; $tb?: number };

/** What the newest event about a stream says; nothing if that is no JSON object. */
export function settingsIn({ data }: ClientEvent): StreamSettings {
  const isObject = data instanceof Object && !(data instanceof Uint8Array) && !Array.isArray(data);
  return isObject ? (data as StreamSettings) : {};
}

/**
 * `$tb` of a deleted stream (`EventNumber.DeletedStream`, 2^63 - 1), or more than any number that a stream can reach as
 * JSON reads it.
 */
export const isDeleted = ({ $tb = 0 }: StreamSettings): boolean => $tb > Number.MAX_SAFE_INTEGER;
