import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import type { Json, RecordedEvent } from '../../../../actors/ports/event-store.ts';

/**
 * Stands at the end of an erased stream. The server keeps the last event of a stream that has been deleted, to know its
 * number; so it must not be one that says anything.
 */
export const erasedType = 'StreamErased';

/** Undefined where it is not an event that somebody appended here: not JSON, or the mark of an erasure. */
export function recordedEvent(event: ClientEvent | undefined): RecordedEvent | undefined {
  return event === undefined || event.type === erasedType ? undefined : jsonEvent(event);
}

/** Undefined where it is not JSON. */
export function jsonEvent(event: ClientEvent): RecordedEvent | undefined {
  if (!event.isJson) return undefined;
  const { id, type, streamId, revision, position, created, data, metadata } = event;
  return {
    id,
    type,
    data: data as Json,
    metadata: (metadata ?? null) as Json,
    stream: streamId,
    revision: Number(revision),
    position: position?.commit ?? 0n,
    created: created.getTime(),
  };
}

/** Where what is said about a stream stands. */
export const metadataStream = (stream: string): string => `$$${stream}`;
export const metadataType = '$metadata';

/** What a stream's metadata says; the settings of the server, and whatever else somebody has written there. */
export type StreamSettings = { [name: string]: Json | undefined; $tb?: number };

/**
 * `$tb` of a deleted stream (`EventNumber.DeletedStream`, 2^63 - 1), or more than any number that a stream can reach as
 * JSON reads it.
 */
export const isDeleted = ({ $tb = 0 }: StreamSettings): boolean => $tb > Number.MAX_SAFE_INTEGER;
