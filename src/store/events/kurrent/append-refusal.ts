import {
  AccessDeniedError,
  DeadlineExceededError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import type statuses from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js';

/** Reads the details of a refusal, by their type. */
const readers: Readonly<Record<string, (bytes: Uint8Array, stream: string) => Error>> = {
  WrongExpectedVersion: (bytes, stream) =>
    WrongExpectedVersionError.fromWrongExpectedVersion(shared.WrongExpectedVersion.deserializeBinary(bytes), stream),
  StreamDeleted: (_, stream) => StreamDeletedError.fromStreamName(stream),
  AccessDenied: () => new AccessDeniedError(),
  MaximumAppendSizeExceeded: (bytes) =>
    MaxAppendSizeExceededError.fromMaxAppendSize(
      shared.MaximumAppendSizeExceeded.deserializeBinary(bytes).getMaxappendsize(),
    ),
  // It may be recorded all the same.
  Timeout: () => new DeadlineExceededError(undefined, 'the event store ran out of time'),
  BadRequest: (bytes) => new InvalidArgumentError(shared.BadRequest.deserializeBinary(bytes).getMessage()),
};

/**
 * The client's error for an append that the server has refused in its answer: the call itself goes on. The client's own
 * function does not know a bad request, and gives a timeout without words.
 */
export function refusalError(refusal: statuses.Status, stream: string): Error {
  const details = refusal.getDetails();
  const type = details?.getTypeName().split('.').at(-1) ?? '';
  const read = readers[type];
  if (details === undefined || read === undefined) {
    return new UnavailableError(undefined, `the event store refused an append: ${refusal.getMessage() || type}`);
  }
  return read(details.getValue_asU8(), stream);
}
