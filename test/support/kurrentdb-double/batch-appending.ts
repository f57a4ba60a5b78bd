import type { ServerDuplexStream } from '@grpc/grpc-js';
import codes from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/code_pb.js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import statuses from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import anys from 'google-protobuf/google/protobuf/any_pb.js';
import empties from 'google-protobuf/google/protobuf/empty_pb.js';
import { type Expected, StreamDeletedFault, WrongVersionFault } from './append-decision.ts';
import { AppendTooLargeFault, answerLost, maxAppendBytes, record } from './appending.ts';
import type { AppendPlace, ProposedEvent } from './event-log.ts';
import { admit, type KurrentNode } from './node.ts';
import {
  isNamed,
  nameMissing,
  proposedEvent,
  streamIdentifier,
  streamName,
  uint64,
  uuidMessage,
  uuidText,
} from './wire.ts';

interface PendingAppend {
  options: streams.BatchAppendReq.Options;
  events: ProposedEvent[];
}

/** `Streams/BatchAppend`: many appends on one call, each in one or more pieces that share a correlation ID. */
export function batchAppend(
  node: KurrentNode,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
): void {
  node.calls['batchCall'] = (node.calls['batchCall'] ?? 0) + 1;
  const pending = new Map<string, PendingAppend>();
  call.on('data', (request: streams.BatchAppendReq) => {
    const correlation = uuidText(request.getCorrelationId());
    const options = request.getOptions();
    const append = pending.get(correlation) ?? { options: options ?? new streams.BatchAppendReq.Options(), events: [] };
    for (const message of request.getProposedMessagesList()) append.events.push(proposedEvent(message));
    if (!request.getIsFinal()) {
      pending.set(correlation, append);
      return;
    }
    pending.delete(correlation);
    try {
      const response = appended(node, call, append);
      if (response !== undefined) call.write(response.setCorrelationId(uuidMessage(correlation, true)));
    } catch (error) {
      call.emit('error', error);
    }
  });
  call.on('end', () => call.end());
}

/** Undefined where nobody gets an answer. */
function appended(
  node: KurrentNode,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
  { options, events }: PendingAppend,
): streams.BatchAppendResp | undefined {
  const stream = streamName(options.getStreamIdentifier());
  const response = new streams.BatchAppendResp().setStreamIdentifier(options.getStreamIdentifier());
  admit(node, 'batchAppend', call.metadata);
  if (!isNamed(options.getStreamIdentifier())) {
    return response.setError(packed('BadRequest', new shared.BadRequest().setMessage(nameMissing)));
  }
  if (isPast(options, Date.now() + node.faults.clockAheadMs))
    return response.setError(packed('Timeout', new shared.Timeout()));
  if (node.faults.take('oddRefusals')) return response.setError(packed('Odd', new shared.Unknown()));
  try {
    const recorded = record(node, stream, expectedOf(options), events);
    if (recorded === 'swallowed') return undefined;
    if (recorded === 'lost') throw answerLost;
    if (node.faults.take('timedOutAppends')) return response.setError(packed('Timeout', new shared.Timeout()));
    return response.setSuccess(succeeded(recorded, node.faults.take('answersWithoutPosition')));
  } catch (error) {
    return response.setError(refusal(error, stream));
  }
}

function succeeded({ revision, position }: AppendPlace, hasNoPosition: boolean): streams.BatchAppendResp.Success {
  const at = new shared.AllStreamPosition().setCommitPosition(uint64(position)).setPreparePosition(uint64(position));
  const success = new streams.BatchAppendResp.Success().setPosition(at);
  if (revision < 0) success.setNoStream(new empties.Empty());
  else success.setCurrentRevision(uint64(revision));
  if (hasNoPosition) success.setNoPosition(new empties.Empty());
  return success;
}

/** Whether the request comes after its own deadline: a time by the clock of the node, or how long there is from now on. */
function isPast(options: streams.BatchAppendReq.Options, now: number): boolean {
  const left = options.getDeadline();
  if (left !== undefined)
    return left.getSeconds() < 0 || left.getNanos() < 0 || left.getSeconds() + left.getNanos() === 0;
  const until = options.getDeadline21100();
  return until !== undefined && until.toDate().getTime() <= now;
}

function expectedOf(options: streams.BatchAppendReq.Options): Expected {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition());
  if (options.hasNoStream()) return -1;
  return options.hasStreamExists() ? 'exists' : 'any';
}

/**
 * Refusals are a `google.rpc.Status` within a response; the call goes on.
 * @throws what is no refusal: it ends the call.
 */
function refusal(error: unknown, stream: string): statuses.Status {
  if (error instanceof WrongVersionFault) return packed('WrongExpectedVersion', wrongVersion(error));
  if (error instanceof StreamDeletedFault) {
    return packed('StreamDeleted', new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(stream)));
  }
  if (error instanceof AppendTooLargeFault) {
    return packed('MaximumAppendSizeExceeded', new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxAppendBytes));
  }
  throw error;
}

const { ALREADY_EXISTS, DEADLINE_EXCEEDED, INVALID_ARGUMENT, NOT_FOUND, UNKNOWN } = codes.Code;
const refusals = {
  WrongExpectedVersion: ALREADY_EXISTS,
  StreamDeleted: NOT_FOUND,
  MaximumAppendSizeExceeded: INVALID_ARGUMENT,
  Timeout: DEADLINE_EXCEEDED,
  BadRequest: INVALID_ARGUMENT,
  Odd: UNKNOWN,
};

function packed(type: keyof typeof refusals, detail: { serializeBinary(): Uint8Array }): statuses.Status {
  const details = new anys.Any();
  details.pack(detail.serializeBinary(), `event_store.client.${type}`);
  return new statuses.Status().setCode(refusals[type]).setMessage(type).setDetails(details);
}

function wrongVersion({ expected, current }: WrongVersionFault): shared.WrongExpectedVersion {
  const wrong = new shared.WrongExpectedVersion();
  const empty = new empties.Empty();
  if (current < 0) wrong.setCurrentNoStream(empty);
  else wrong.setCurrentStreamRevision(uint64(current));
  if (expected === -1) wrong.setExpectedNoStream(empty);
  else if (expected === -2) wrong.setExpectedAny(empty);
  else if (expected === -4) wrong.setExpectedStreamExists(empty);
  else wrong.setExpectedStreamPosition(uint64(expected));
  return wrong;
}
