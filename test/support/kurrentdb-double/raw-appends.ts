import type { ClientDuplexStream } from '@grpc/grpc-js';
import { credentials, Metadata } from '@grpc/grpc-js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import { StreamsClient } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import durations from 'google-protobuf/google/protobuf/duration_pb.js';
import empties from 'google-protobuf/google/protobuf/empty_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { streamIdentifier } from './wire.ts';

interface RawEvent {
  id: string;
  text?: string;
}

/** An append as no client sends it. */
export interface RawAppend {
  correlation: string;
  /** Undefined: it names none. */
  stream: string | undefined;
  expected: 'any' | 'no-stream' | number;
  events: readonly RawEvent[];
  /** From now on, in seconds, as a duration; or a time. */
  deadline?: number | Date;
}

/** A `BatchAppend` call on a server without TLS, below the client: one answer after the other. */
export class RawAppends {
  #client: StreamsClient;
  #call: ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
  #answers: AsyncIterator<streams.BatchAppendResp>;

  constructor(url: string, requiresLeader: boolean) {
    const [, authority = ''] = /\/\/([^/?]*)/.exec(url) ?? [];
    const [host = '', user] = authority.split('@').toReversed();
    const metadata = new Metadata();
    if (user !== undefined) metadata.set('authorization', `Basic ${Buffer.from(user).toString('base64')}`);
    if (requiresLeader) metadata.set('requires-leader', 'true');
    this.#client = new StreamsClient(host, credentials.createInsecure());
    this.#call = this.#client.batchAppend(metadata);
    this.#answers = this.#call[Symbol.asyncIterator]() as AsyncIterator<streams.BatchAppendResp>;
  }

  /** @throws {ServiceError} the call has ended instead. */
  async append(append: RawAppend): Promise<streams.BatchAppendResp> {
    this.#call.write(requestOf(append));
    const { value } = await this.#answers.next();
    return value as streams.BatchAppendResp;
  }

  close(): void {
    this.#call.on('error', () => {});
    this.#call.cancel();
    this.#client.close();
  }
}

function requestOf({ correlation, stream, expected, events, deadline }: RawAppend): streams.BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  if (stream !== undefined) options.setStreamIdentifier(streamIdentifier(stream));
  if (expected === 'any') options.setAny(new empties.Empty());
  else if (expected === 'no-stream') options.setNoStream(new empties.Empty());
  else options.setStreamPosition(String(expected));
  if (deadline instanceof Date) options.setDeadline21100(timestamps.Timestamp.fromDate(deadline));
  else if (deadline !== undefined) options.setDeadline(new durations.Duration().setSeconds(deadline));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlation))
    .setOptions(options)
    .setProposedMessagesList(events.map((event) => messageOf(event)))
    .setIsFinal(true);
}

function messageOf({ id, text = '' }: RawEvent): streams.BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from(JSON.stringify({ text })));
  message.getMetadataMap().set('type', 'SomethingHappened').set('content-type', 'application/json');
  return message;
}
