import { status } from '@grpc/grpc-js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { EventLog, LoggedEvent, LoggedStream } from './event-log.ts';
import { createFilter } from './filter.ts';
import { admit, type KurrentNode, type ReadCall } from './node.ts';
import { subscribe } from './subscribing.ts';
import { failure, readEvent, streamDeleted, streamName, uint64 } from './wire.ts';

/** The reader has gone away: nobody is left to be told. */
const goneAway = Symbol('the reader has gone away');

/** Answers in order, and no faster than the client takes it. */
export type Send = (response: streams.ReadResp) => Promise<void>;

/** `Streams/Read`: a stream or all, forwards or backwards, once or as a subscription. */
export async function read(node: KurrentNode, call: ReadCall): Promise<void> {
  try {
    const options = call.request.getOptions() ?? new streams.ReadReq.Options();
    if (!options.hasUuidOption()) throw failure(status.INVALID_ARGUMENT, 'uuidOption is missing');
    const isSubscription = options.hasSubscription();
    admit(node, isSubscription ? 'subscribe' : 'read', call.metadata);
    if (isSubscription) await subscribe(node, call, options, createSend(call));
    else await readOnce(node, call, options);
  } catch (error) {
    if (error !== goneAway) call.emit('error', error);
  }
}

async function readOnce(node: KurrentNode, call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
  node.streamsRead.push(streamName(options.getStream()?.getStreamIdentifier()));
  await node.faults.reads;
  const send = createSend(call);
  const events = options.hasStream() ? streamEvents(node.log, options) : allEvents(node.log, options);
  if (events === undefined) {
    const identifier = options.getStream()?.getStreamIdentifier();
    const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier);
    await send(new streams.ReadResp().setStreamNotFound(notFound));
    call.end();
    return;
  }
  const idsAsText = options.getUuidOption()?.hasString() ?? false;
  const breaksAfter = node.faults.brokenReads > 0 ? node.faults.readsBreakAfter : Infinity;
  if (breaksAfter < Infinity) node.faults.brokenReads -= 1;
  const limit = Number(options.getCount());
  let sent = 0;
  for (const event of events) {
    if (sent >= limit) break;
    if (sent >= breaksAfter) throw failure(status.UNAVAILABLE, 'the connection was dropped');
    await send(readEvent(event, idsAsText));
    sent += 1;
  }
  await sendEndOfStream(node.log, options, send);
  call.end();
}

/** Clients that say that they know of it are told where the stream ends. */
async function sendEndOfStream(log: EventLog, options: streams.ReadReq.Options, send: Send): Promise<void> {
  if (!options.hasStream() || (options.getControlOption()?.getCompatibility() ?? 0) < 1) return;
  const last = log.lastRevision(streamName(options.getStream()?.getStreamIdentifier()));
  await send(new streams.ReadResp().setLastStreamPosition(uint64(last)));
}

const isBackwards = (options: streams.ReadReq.Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;

/** Undefined where there is no such stream. The start is inclusive in both directions. */
function streamEvents(log: EventLog, options: streams.ReadReq.Options): Iterable<LoggedEvent> | undefined {
  const place = options.getStream();
  const name = streamName(place?.getStreamIdentifier());
  if (log.stream(name)?.tombstoned === true) throw streamDeleted(name);
  const visible = log.visible(name);
  if (place === undefined || visible === undefined) return undefined;
  const { stream, from } = visible;
  const start = place.hasEnd() ? Infinity : place.hasStart() ? 0 : Number(place.getRevision());
  if (isBackwards(options)) return between(stream, Math.min(start, stream.last), from, -1);
  return between(stream, Math.max(start, from), stream.last, 1);
}

function* between({ events }: LoggedStream, first: number, last: number, step: 1 | -1): Generator<LoggedEvent> {
  for (let revision = first; step * (last - revision) >= 0; revision += step) {
    const event = events[revision];
    if (event !== undefined) yield event;
  }
}

/** The start is inclusive forwards, and exclusive backwards. Nothing is hidden before it is scavenged. */
function allEvents(log: EventLog, options: streams.ReadReq.Options): LoggedEvent[] {
  const from = options.getAll();
  const filter = createFilter(options.getFilter());
  const position = BigInt(from?.getPosition()?.getCommitPosition() ?? 0);
  const edge = from?.hasEnd() === true ? log.all.length : from?.hasStart() === true ? 0 : log.indexOf(position);
  const events = isBackwards(options) ? log.all.slice(0, edge).toReversed() : log.all.slice(edge);
  return filter === undefined ? events : events.filter((event) => filter.passes(event));
}

function createSend(call: ReadCall): Send {
  return async (response) => {
    if (call.cancelled) throw goneAway;
    if (call.write(response)) return;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        call.off('drain', goOn);
        call.off('cancelled', goOn);
        resolve();
      };
      call.on('drain', goOn);
      call.on('cancelled', goOn);
    });
  };
}
