import { type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { type Expected, StreamDeletedFault, WrongVersionFault } from './append-decision.ts';
import { noMemory } from './append-memory.ts';
import type { AppendPlace, ProposedEvent } from './event-log.ts';
import { admit, type KurrentNode, writerOf } from './node.ts';
import { empty, failure, isNamed, nameMissing, proposedEvent, streamDeleted, streamName, uint64 } from './wire.ts';

/** `MaxAppendSize` of a server that was told nothing else. */
export const maxAppendBytes = 1024 * 1024;

/** An append that is too large fails before anything else is looked at. */
export class AppendTooLargeFault extends Error {
  override name = 'AppendTooLargeFault';
}

/**
 * What both kinds of append do.
 * @returns undefined where the answer is to be lost: for good, or with the call.
 * @throws {WrongVersionFault | StreamDeletedFault | AppendTooLargeFault}
 */
export function record(
  node: KurrentNode,
  stream: string,
  expected: Expected,
  events: readonly ProposedEvent[],
): AppendPlace | 'swallowed' | 'lost' {
  const { log, faults, memory } = writerOf(node);
  if (faults.take('swallowedAppends')) return 'swallowed';
  const bytes = events.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + type.length, 0);
  if (bytes > maxAppendBytes) throw new AppendTooLargeFault('MaximumAppendSizeExceeded');
  const last = log.append(stream, expected, events, expected === 'any' && faults.forgets() ? noMemory : memory);
  return faults.take('lostAnswers') ? 'lost' : last;
}

export const answerLost = failure(status.UNAVAILABLE, 'the connection was lost after the commit');

/** `Streams/Append`: one append a call. */
export function append(
  node: KurrentNode,
  call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
  answer: sendUnaryData<streams.AppendResp>,
): void {
  let options = new streams.AppendReq.Options();
  const events: ProposedEvent[] = [];
  call.on('data', (request: streams.AppendReq) => {
    const proposed = request.getProposedMessage();
    options = request.getOptions() ?? options;
    if (proposed !== undefined) events.push(proposedEvent(proposed));
  });
  call.on('end', () => {
    if (!isNamed(options.getStreamIdentifier())) {
      answer(failure(status.INVALID_ARGUMENT, nameMissing));
      return;
    }
    const stream = streamName(options.getStreamIdentifier());
    try {
      admit(node, 'append', call.metadata);
      const recorded = record(node, stream, expectedOf(options), events);
      if (recorded === 'lost') answer(answerLost);
      else if (recorded !== 'swallowed') answer(null, succeeded(recorded, node.faults.take('answersWithoutPosition')));
    } catch (error) {
      if (error instanceof WrongVersionFault) answer(null, wrongVersion(error));
      else if (error instanceof StreamDeletedFault) answer(streamDeleted(stream));
      else if (error instanceof AppendTooLargeFault) answer(tooLarge());
      else answer(error as Error);
    }
  });
}

/** How `Append`, `Delete` and `Tombstone` say what they expect. */
export function expectedOf(options: streams.AppendReq.Options | streams.DeleteReq.Options): Expected {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return -1;
  return options.hasStreamExists() ? 'exists' : 'any';
}

function succeeded({ revision, position }: AppendPlace, hasNoPosition: boolean): streams.AppendResp {
  const at = new streams.AppendResp.Position().setCommitPosition(uint64(position)).setPreparePosition(uint64(position));
  const success = new streams.AppendResp.Success().setPosition(at);
  if (revision < 0) success.setNoStream(empty());
  else success.setCurrentRevision(uint64(revision));
  if (hasNoPosition) success.setNoPosition(empty());
  return new streams.AppendResp().setSuccess(success);
}

function wrongVersion({ expected, current }: WrongVersionFault): streams.AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(empty());
  else wrong.setCurrentRevision(uint64(current));
  if (expected === -1) wrong.setExpectedNoStream(empty());
  else if (expected === -2) wrong.setExpectedAny(empty());
  else if (expected === -4) wrong.setExpectedStreamExists(empty());
  else wrong.setExpectedRevision(uint64(expected));
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

const tooLarge = (): ReturnType<typeof failure> =>
  failure(status.INVALID_ARGUMENT, 'Maximum Append Size Exceeded', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(maxAppendBytes),
  });
