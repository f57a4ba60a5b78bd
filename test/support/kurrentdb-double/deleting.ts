import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { StreamDeletedFault, WrongVersionFault } from './append-decision.ts';
import { expectedOf } from './appending.ts';
import { admit, type KurrentNode } from './node.ts';
import { failure, streamDeleted, streamName, uint64 } from './wire.ts';

/** `Streams/Delete`: the stream can be written again. */
export function deleteSoftly(
  node: KurrentNode,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  answer: sendUnaryData<streams.DeleteResp>,
): void {
  const options = call.request.getOptions() ?? new streams.DeleteReq.Options();
  const stream = streamName(options.getStreamIdentifier());
  try {
    admit(node, 'delete', call.metadata);
    const position = uint64(node.log.deleteSoftly(stream, expectedOf(options)));
    const at = new streams.DeleteResp.Position().setCommitPosition(position).setPreparePosition(position);
    answer(null, new streams.DeleteResp().setPosition(at));
  } catch (error) {
    answer(refusal(error));
  }
}

/** `Streams/Tombstone`: for ever. */
export function tombstone(
  node: KurrentNode,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  answer: sendUnaryData<streams.TombstoneResp>,
): void {
  const options = call.request.getOptions() ?? new streams.TombstoneReq.Options();
  const stream = streamName(options.getStreamIdentifier());
  try {
    admit(node, 'tombstone', call.metadata);
    const position = uint64(node.log.tombstone(stream, expectedOf(options)));
    const at = new streams.TombstoneResp.Position().setCommitPosition(position).setPreparePosition(position);
    answer(null, new streams.TombstoneResp().setPosition(at));
  } catch (error) {
    answer(refusal(error));
  }
}

function refusal(error: unknown): Error {
  if (error instanceof StreamDeletedFault) return streamDeleted(error.stream);
  if (!(error instanceof WrongVersionFault)) return error as Error;
  return failure(status.FAILED_PRECONDITION, error.message, {
    exception: 'wrong-expected-version',
    'stream-name': error.stream,
    'expected-version': String(error.expected),
    'actual-version': String(error.current),
  });
}
