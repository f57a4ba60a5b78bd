import { randomUUID } from 'node:crypto';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { EventLog, LoggedEvent } from './event-log.ts';
import { createFilter } from './filter.ts';
import type { KurrentNode, ReadCall } from './node.ts';
import type { Send } from './reading.ts';
import { readEvent, streamDeleted, streamName, uint64 } from './wire.ts';

/** Goes through what a subscription follows; undefined for now where it is at the end. */
type Next = () => LoggedEvent | undefined;

/** A read that goes on with what comes. Its start is exclusive. */
export async function subscribe(
  node: KurrentNode,
  call: ReadCall,
  options: streams.ReadReq.Options,
  send: Send,
): Promise<void> {
  const ofStream = options.getStream();
  const next = ofStream === undefined ? followAll(node.log, options.getAll()) : followStream(node.log, ofStream);
  const filter = createFilter(options.getFilter());
  const idsAsText = options.getUuidOption()?.hasString() ?? false;
  const waiting = createAlarm(node, call);
  await send(confirmation());
  let seen = 0;
  let newest: LoggedEvent | undefined;
  for (let isLive = false; !call.cancelled; await waiting()) {
    await node.faults.subscriptions;
    for (let event = next(); event !== undefined; event = next()) {
      newest = event;
      node.looked += 1;
      if (filter === undefined || filter.passes(event)) await send(readEvent(event, idsAsText));
      seen += 1;
      if (filter !== undefined && seen % filter.checkpointEvents === 0) await send(checkpoint(event));
      await node.faults.subscriptions;
    }
    if (!isLive) await send(caughtUp(newest, ofStream !== undefined));
    isLive = true;
  }
}

/** Resolves at the next commit, or when the call is over. */
function createAlarm(node: KurrentNode, call: ReadCall): () => Promise<void> {
  let ring: (() => void) | undefined;
  let rang = false;
  const wake = (): void => {
    rang = true;
    ring?.();
  };
  node.log.on('committed', wake);
  node.subscriptions.add(call);
  const end = (): void => {
    node.log.off('committed', wake);
    node.subscriptions.delete(call);
    wake();
  };
  call.on('cancelled', end);
  call.on('close', end);
  call.on('error', end);
  return async () => {
    if (!rang) {
      await new Promise<void>((resolve) => {
        ring = resolve;
      });
    }
    rang = false;
    ring = undefined;
  };
}

function followAll(log: EventLog, from: streams.ReadReq.Options.AllOptions | undefined): Next {
  let cursor = from?.hasEnd() === true ? (log.all.at(-1)?.position ?? -1n) : -1n;
  if (from?.hasPosition() === true) cursor = BigInt(from.getPosition()?.getCommitPosition() ?? 0);
  let { all } = log;
  let index = log.indexOf(cursor + 1n);
  return () => {
    // A scavenge has moved the places.
    if (all !== log.all) index = log.indexOf(cursor + 1n);
    all = log.all;
    const event = all[index];
    if (event === undefined) return undefined;
    index += 1;
    cursor = event.position;
    return event;
  };
}

function followStream(log: EventLog, from: streams.ReadReq.Options.StreamOptions): Next {
  const name = streamName(from.getStreamIdentifier());
  if (log.stream(name)?.tombstoned === true) throw streamDeleted(name);
  let cursor = from.hasEnd() ? log.lastRevision(name) : from.hasStart() ? -1 : Number(from.getRevision());
  return () => {
    const visible = log.visible(name);
    const event = visible?.stream.events.find(
      (each) => each !== undefined && each.revision > cursor && each.revision >= visible.from,
    );
    cursor = event?.revision ?? cursor;
    return event;
  };
}

function confirmation(): streams.ReadResp {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  return new streams.ReadResp().setConfirmation(confirmed);
}

const now = (): timestamps.Timestamp => timestamps.Timestamp.fromDate(new Date());

function checkpoint({ position }: LoggedEvent): streams.ReadResp {
  const reached = new streams.ReadResp.Checkpoint()
    .setCommitPosition(uint64(position))
    .setPreparePosition(uint64(position))
    .setTimestamp(now());
  return new streams.ReadResp().setCheckpoint(reached);
}

function caughtUp(newest: LoggedEvent | undefined, ofStream: boolean): streams.ReadResp {
  const reached = new streams.ReadResp.CaughtUp().setTimestamp(now());
  if (newest !== undefined && ofStream) reached.setStreamRevision(String(newest.revision));
  if (newest !== undefined && !ofStream) {
    const position = uint64(newest.position);
    reached.setPosition(new streams.ReadResp.Position().setCommitPosition(position).setPreparePosition(position));
  }
  return new streams.ReadResp().setCaughtUp(reached);
}
