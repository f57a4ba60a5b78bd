import {
  type RecordedEvent as ClientEvent,
  convertToCommandError,
  type KurrentDBClient,
} from '@kurrent/kurrentdb-client';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { openCall } from './grpc-half.ts';
import { clientEvent } from './recorded-event.ts';

export interface StreamRange {
  /** Undefined for `$all`, which is read from one of its ends. */
  stream: string | undefined;
  backwards: boolean;
  /** Inclusive; undefined for the first, or the last when reading backwards. */
  from: number | undefined;
  limit: number;
}

/** A call whose answer is many messages. */
interface Responses extends AsyncIterable<streams.ReadResp> {
  cancel(): void;
}

/** `ReadDirection` of the protocol. */
const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/**
 * Reads a stream at the leader, over the client's one channel. A stream that does not exist has no events. The client's own
 * `readStream` uses native code: it cannot be cancelled, never works again after a failed connection, answers 40 ms late if
 * packets are small, and drops the milliseconds of `created`.
 * @throws {StreamDeletedError} the stream is gone for ever.
 */
export async function* readStream(
  client: KurrentDBClient,
  range: StreamRange,
  signal: LightAbortSignal,
): AsyncGenerator<ClientEvent> {
  const responses = await openCall<Responses>(client, 'readStream', (service, ...call) =>
    service.read(request(range), ...call),
  );
  let hasEnded = false;
  const cancel = (): void => {
    if (!hasEnded) responses.cancel();
  };
  signal.addEventListener('abort', cancel);
  try {
    if (signal.aborted) cancel();
    let left = range.limit;
    let last: ClientEvent | undefined;
    for await (const response of responses) {
      const event = response.getEvent()?.getEvent();
      if (event === undefined) continue;
      left -= 1;
      // The caller may stop at the last event. A call that is broken off resets its HTTP/2 stream, and a server that
      // sees many resets closes the connection (CVE-2023-44487): so the call ends first.
      if (left === 0) last = clientEvent(event);
      else yield clientEvent(event);
    }
    hasEnded = true;
    if (last !== undefined) yield last;
  } catch (error) {
    throw error instanceof Error ? convertToCommandError(error) : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function request({ stream, backwards, from, limit }: StreamRange): streams.ReadReq {
  const options = new streams.ReadReq.Options()
    .setReadDirection(backwards ? BACKWARDS : FORWARDS)
    .setCount(String(Math.min(limit, Number.MAX_SAFE_INTEGER)))
    .setNoFilter(new shared.Empty())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
  if (stream === undefined) {
    options.setAll(atEdge(new streams.ReadReq.Options.AllOptions(), backwards));
  } else {
    const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
    const place = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
    options.setStream(from === undefined ? atEdge(place, backwards) : place.setRevision(String(from)));
  }
  return new streams.ReadReq().setOptions(options);
}

type Place = streams.ReadReq.Options.StreamOptions | streams.ReadReq.Options.AllOptions;

function atEdge<P extends Place>(place: P, backwards: boolean): P {
  if (backwards) place.setEnd(new shared.Empty());
  else place.setStart(new shared.Empty());
  return place;
}
