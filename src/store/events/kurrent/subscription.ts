import {
  type AllStreamResolvedEvent,
  type RecordedEvent as ClientEvent,
  eventTypeFilter,
  type Filter,
  type KurrentDBClient,
  type Position,
  START,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { nextTurn } from '../../../../actors/kit/next-turn.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { createBell } from './bell.ts';
import { clientEvent, metadataStream } from './recorded-event.ts';
import { noAnswerWithin } from './server-answer.ts';

/** Events, the position up to which none matched, or that the subscription is up to date. */
export type SubscriptionMessage = { events: ClientEvent[] } | { upTo: bigint } | { caughtUp: true };

export interface SubscriptionOptions {
  /** Exclusive. */
  after: bigint | undefined;
  /** Only streams that begin with one of these. Names that begin with `$` match only a prefix that does too. */
  prefixes: readonly string[] | undefined;
  /** If it is given, the server compares types instead of streams: it cannot do both. Default: it compares streams. */
  types?: readonly string[] | undefined;
  signal: AbortSignal;
}

/** Timeout of each message until the subscription is up to date. Later messages have no timeout: no event may come for days. */
const answerMs = 5000;
/** How many events the server looks at for one page of matches: with fewer, rare matches are a page each. */
export const windowEvents = 512;
/** The server reports its position after this many windows without a match. */
const checkpointWindows = 2;
/** Events in memory that the caller has not taken; more pause the subscription. */
export const maxWaitingEvents = 500;
/** All streams but the server's own, without and with their metadata. */
const userStreams = '^[^$]';
const userStreamsAndMetadata = '^(\\$\\$)?[^$]';

/**
 * One subscription to all streams, until it breaks or the signal is aborted. Messages come in the order of the log, each
 * when the caller asks for it.
 * @throws the error that ended it.
 */
export async function* subscribe(
  client: KurrentDBClient,
  clock: Clock,
  { after, prefixes, types, signal }: SubscriptionOptions,
): AsyncGenerator<SubscriptionMessage> {
  let received = 0;
  let taken = 0;
  let waiting: ClientEvent[] = [];
  /** Messages without events: each waits until the events before it have been taken. */
  const between: { behind: number; message: SubscriptionMessage }[] = [];
  const bell = createBell();
  const push = (message: SubscriptionMessage): void => {
    between.push({ behind: received + subscription.readableLength, message });
    bell.ring();
  };
  const subscription = client.subscribeToAll({
    fromPosition: after === undefined ? START : { commit: after, prepare: after },
    filter: createFilter(prefixes, types, push),
    requiresLeader: true,
  });
  Object.assign(subscription, { convertGrpcEvent });
  let broken: unknown;
  const breakWith = (error: unknown): void => {
    broken ??= error;
    bell.ring();
  };
  subscription.on('caughtUp', () => push({ caughtUp: true }));
  subscription.on('data', ({ event }: AllStreamResolvedEvent) => {
    received += 1;
    if (event !== undefined) waiting.push(event);
    if (waiting.length >= maxWaitingEvents) subscription.pause();
    bell.ring();
  });
  let isCaughtUp = false;
  const next = (): Promise<void> =>
    isCaughtUp ? bell.rung() : withTimeout(clock, answerMs, () => noAnswerWithin(answerMs), bell.rung);
  subscription.on('error', breakWith);
  subscription.on('end', () => breakWith(new Error('the subscription has ended')));
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      const first = between[0];
      if (first !== undefined && first.behind <= taken) {
        between.shift();
        isCaughtUp ||= 'caughtUp' in first.message;
        yield first.message;
        continue;
      }
      if (waiting.length > 0) {
        const events = waiting.slice(0, (first?.behind ?? Infinity) - taken);
        waiting = waiting.slice(events.length);
        taken += events.length;
        yield { events };
        if (waiting.length === 0) subscription.resume();
        continue;
      }
      if (broken !== undefined) throw broken;
      await next();
      // What has arrived with it is taken at once: each batch has its price.
      await nextTurn();
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    void subscription.unsubscribe().catch(() => {});
  }
}

/** Replaces the client's own, which returns broken JSON as a string. */
const convertGrpcEvent = (read: streams.ReadResp.ReadEvent): { event?: ClientEvent } => {
  const record = read.getEvent();
  return record === undefined ? {} : { event: clientEvent(record) };
};

/** What the server compares the names of streams with. */
export function streamFilter(prefixes: readonly string[] = ['']): { prefixes: string[] } | { regex: string } {
  if (!prefixes.includes('')) return { prefixes: [...prefixes] };
  return { regex: prefixes.includes(metadataStream('')) ? userStreamsAndMetadata : userStreams };
}

function createFilter(
  prefixes: readonly string[] | undefined,
  types: readonly string[] | undefined,
  push: (message: SubscriptionMessage) => void,
): Filter {
  const options = {
    maxSearchWindow: windowEvents,
    checkpointInterval: checkpointWindows,
    checkpointReached: async (_: unknown, { commit }: Position): Promise<void> => push({ upTo: commit }),
  };
  if (types !== undefined) return eventTypeFilter({ ...options, prefixes: [...types] });
  const filter = streamFilter(prefixes);
  return 'regex' in filter ? streamNameFilter({ ...options, ...filter }) : streamNameFilter({ ...options, ...filter });
}
