import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { LoggedEvent, ProposedEvent } from './event-log.ts';

/** Unsigned 64 bits, as the generated classes take them. */
export const uint64 = (value: number | bigint): string => BigInt.asUintN(64, BigInt(value)).toString();

export const empty = (): shared.Empty => new shared.Empty();

export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
}

/** No request is without it. */
export const nameMissing = 'Required field StreamIdentifier not set.';

export const isNamed = (identifier: shared.StreamIdentifier | undefined): boolean => streamName(identifier) !== '';

export function streamIdentifier(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name).toString('base64'));
}

export function uuidText(uuid: shared.UUID | undefined): string {
  const structured = uuid?.getStructured();
  if (uuid === undefined || structured === undefined) return uuid?.getString() ?? '';
  const half = (value: string): string => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function uuidMessage(id: string, asText: boolean): shared.UUID {
  if (asText) return new shared.UUID().setString(id);
  const hex = id.replaceAll('-', '');
  const half = (digits: string): string => BigInt.asIntN(64, BigInt(`0x${digits}`)).toString();
  const structured = new shared.UUID.Structured()
    .setMostSignificantBits(half(hex.slice(0, 16)))
    .setLeastSignificantBits(half(hex.slice(16)));
  return new shared.UUID().setStructured(structured);
}

/** .NET ticks since 1970: 100 ns. */
const ticksPerMs = 10_000n;

export function readEvent(event: LoggedEvent, idsAsText: boolean): streams.ReadResp {
  const position = uint64(event.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(uuidMessage(event.id, idsAsText))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(uint64(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('created', String(BigInt(event.created) * ticksPerMs))
    .set('content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position);
  return new streams.ReadResp().setEvent(read);
}

/** The same for `Append` and `BatchAppend`. */
export function proposedEvent(
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent {
  const described = message.getMetadataMap();
  return {
    id: uuidText(message.getId()),
    type: described.get('type') ?? '',
    isJson: described.get('content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** How a call fails: a status, and trailers that say more. */
export function failure(code: status, details: string, trailers: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const streamDeleted = (stream: string): ServiceError =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
