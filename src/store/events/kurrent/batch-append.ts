import type { Duplex } from 'node:stream';
import { convertToCommandError, type KurrentDBClient } from '@kurrent/kurrentdb-client';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import { StreamsService } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import durations from 'google-protobuf/google/protobuf/duration_pb.js';
import empties from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Appended, ExpectedRevision } from '../../../../actors/ports/event-store.ts';
import { refusalError } from './append-refusal.ts';
import { grpcHalf, openCall } from './grpc-half.ts';

/** An event with encoded content. No bytes of metadata: it has none. */
export interface KurrentEvent {
  id: string;
  type: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface Append {
  stream: string;
  expected: ExpectedRevision;
  events: readonly KurrentEvent[];
}

/** What the server answers; the protocol allows an answer without the position. */
export type ServerAppended = Pick<Appended, 'revision'> & Partial<Appended>;

/**
 * An append that reaches the server, or is still not recorded, after this time is refused. It is a duration: a time would
 * be compared with the clock of the server.
 */
const serverLimitSeconds = 4;

interface Waiting {
  stream: string;
  resolve: (appended: ServerAppended) => void;
  reject: (error: Error) => void;
}

/**
 * All appends of one client on one call (`BatchAppend`): the server takes them in the order in which they are sent. The
 * client's own `appendToStream` does the same, but converts every event to base64 and back and costs twice as much. If
 * the connection breaks, each append that waits for it ends in an unhandled rejection.
 */
export class BatchCall {
  /** One a client. Undefined: the server is too old for the call. */
  static #opened = new WeakMap<KurrentDBClient, Promise<BatchCall | undefined>>();

  #client: KurrentDBClient;
  #call: Duplex;
  #waiting = new Map<number, Waiting>();
  #appends = 0;
  #hasEnded = false;

  /**
   * The client's call, opened if there is none or the last one has ended.
   * @throws why it cannot be opened.
   */
  static of(client: KurrentDBClient): Promise<BatchCall | undefined> {
    const known = BatchCall.#opened.get(client);
    if (known !== undefined) return known;
    const opening = BatchCall.#open(client);
    BatchCall.#opened.set(client, opening);
    opening.catch(() => BatchCall.#opened.delete(client));
    return opening;
  }

  static async #open(client: KurrentDBClient): Promise<BatchCall | undefined> {
    if (!(await grpcHalf(client).supports(StreamsService.batchAppend))) return undefined;
    const call = await openCall<Duplex>(client, 'appendToStream', (service, ...rest) => service.batchAppend(...rest));
    return new BatchCall(client, call);
  }

  private constructor(client: KurrentDBClient, call: Duplex) {
    this.#client = client;
    this.#call = call;
    call.on('data', (response: streams.BatchAppendResp) => this.#hear(response));
    call.on('error', (error) => this.#end(convertToCommandError(error)));
    call.on('end', () => this.#end(new Error('the server has ended the call')));
  }

  /** Never resolves if the server does not answer. @throws the server's error, or the error that ended the call. */
  append({ stream, expected, events }: Append): Promise<ServerAppended> {
    return new Promise((resolve, reject) => {
      const number = (this.#appends += 1);
      this.#waiting.set(number, { stream, resolve, reject });
      const request = new streams.BatchAppendReq()
        .setCorrelationId(new shared.UUID().setString(correlationId(number)))
        .setOptions(optionsOf(stream, expected))
        .setProposedMessagesList(events.map((event) => messageOf(event)))
        .setIsFinal(true);
      this.#call.write(request, (error) => {
        if (error) this.#take(number)?.reject(error);
      });
    });
  }

  #hear(response: streams.BatchAppendResp): void {
    const waiting = this.#take(numberOf(response.getCorrelationId()));
    if (waiting === undefined) return;
    const refusal = response.getError();
    if (refusal !== undefined) {
      waiting.reject(refusalError(refusal, waiting.stream));
      return;
    }
    const success = response.getSuccess();
    const position = success?.getPosition()?.getCommitPosition();
    waiting.resolve({
      revision: Number(success?.getCurrentRevision()),
      ...(position !== undefined && { position: BigInt(position) }),
    });
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  #end(error: Error): void {
    // Several events may report the end, and the next call may be open by then.
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    BatchCall.#opened.delete(this.#client);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** A number in the shape of a UUID; it has to be unique on the call only. */
const correlationId = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The server answers with either form of the ID. */
function numberOf(id: shared.UUID | undefined): number {
  const structured = id?.getStructured();
  if (structured === undefined) return Number.parseInt(id?.getString().slice(-12) ?? '', 16);
  return Number(BigInt.asUintN(48, BigInt(structured.getLeastSignificantBits())));
}

function optionsOf(stream: string, expected: ExpectedRevision): streams.BatchAppendReq.Options {
  const options = new streams.BatchAppendReq.Options()
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setDeadline(new durations.Duration().setSeconds(serverLimitSeconds));
  if (expected === 'any') return options.setAny(new empties.Empty());
  if (expected === 'no-stream') return options.setNoStream(new empties.Empty());
  return options.setStreamPosition(String(expected));
}

function messageOf({ id, type, data, metadata }: KurrentEvent): streams.BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}
