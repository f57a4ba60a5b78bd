import {
  type AllStreamResolvedEvent,
  type RecordedEvent as ClientEvent,
  type Filter,
  type KurrentDBClient,
  type Position,
  START,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { createBell } from './bell.ts';
import { clientEvent, metadataStream } from './recorded-event.ts';
import { noAnswerWithin } from './server-answer.ts';

/** What a subscription says: some events, how far it has looked without finding one, or that it is up to date. */
export type SubscriptionMessage = { events: ClientEvent[] } | { upTo: bigint } | { caughtUp: true };

export interface SubscriptionOptions {
  /** Exclusive. */
  after: bigint | undefined;
  /** Only streams that begin with one of these; a name that begins with `$` only where a prefix does. */
  prefixes: readonly string[] | undefined;
  signal: AbortSignal;
}

/** Before a subscription is up to date, something must come in this time. Then it may be silent for ever. */
const answerMs = 5000;
/** A server says how far it is after this many windows of 32 events without one for us. */
const checkpointWindows = 32;
/** Events that are kept ready for the caller, at most. */
const waitingEvents = 500;
/** Everybody's streams but the server's own, without and with what is said about them. */
const ofOthers = '^[^$]';
const ofOthersDescribed = '^(\\$\\$)?[^$]';

/**
 * One subscription to everything, until it breaks or the signal is given. What is said comes in the order of the log;
 * the next thing is taken when the caller asks for it.
 * @throws what broke it.
 */
export async function* subscribe(
  client: KurrentDBClient,
  clock: Clock,
  { after, prefixes, signal }: SubscriptionOptions,
): AsyncGenerator<SubscriptionMessage> {
  let received = 0;
  let taken = 0;
  let waiting: ClientEvent[] = [];
  /** What was said between the events: each waits until those before it have been taken. */
  const between: { behind: number; said: SubscriptionMessage }[] = [];
  const bell = createBell();
  const say = (said: SubscriptionMessage): void => {
    between.push({ behind: received + subscription.readableLength, said });
    bell.ring();
  };
  const subscription = client.subscribeToAll({
    fromPosition: after === undefined ? START : { commit: after, prepare: after },
    filter: createFilter(prefixes, say),
    requiresLeader: true,
  });
  Object.assign(subscription, { convertGrpcEvent });
  let broken: unknown;
  const breakWith = (error: unknown): void => {
    broken ??= error;
    bell.ring();
  };
  subscription.on('caughtUp', () => say({ caughtUp: true }));
  subscription.on('data', ({ event }: AllStreamResolvedEvent) => {
    received += 1;
    if (event !== undefined) waiting.push(event);
    if (waiting.length >= waitingEvents) subscription.pause();
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
        isCaughtUp ||= 'caughtUp' in first.said;
        yield first.said;
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
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    void subscription.unsubscribe().catch(() => {});
  }
}

/** In place of the client's own, which takes what is no JSON for a text. */
const convertGrpcEvent = (read: streams.ReadResp.ReadEvent): { event?: ClientEvent } => {
  const record = read.getEvent();
  return record === undefined ? {} : { event: clientEvent(record) };
};

function createFilter(prefixes: readonly string[] = [''], say: (said: SubscriptionMessage) => void): Filter {
  const options = {
    checkpointInterval: checkpointWindows,
    checkpointReached: async (_: unknown, { commit }: Position): Promise<void> => say({ upTo: commit }),
  };
  if (!prefixes.includes('')) return streamNameFilter({ ...options, prefixes: [...prefixes] });
  return streamNameFilter({ ...options, regex: prefixes.includes(metadataStream('')) ? ofOthersDescribed : ofOthers });
}
