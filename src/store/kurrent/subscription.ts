import {
  type AllStreamResolvedEvent,
  type Filter,
  type KurrentDBClient,
  type Position,
  START,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import type { Clock } from '../../../actors/clock.ts';
import { metadataStream } from './recorded-event.ts';
import { NoAnswerError, pause } from './waiting.ts';

/** What a subscription says: an event, how far it has looked without finding one, or that it is up to date. */
export type Said = { event: NonNullable<AllStreamResolvedEvent['event']> } | { upTo: bigint } | { caughtUp: true };

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
): AsyncGenerator<Said> {
  let taken = 0;
  /** What was said between the events: each waits until those before it have been taken. */
  const between: { behind: number; said: Said }[] = [];
  const bell = createBell();
  const say = (said: Said): void => {
    between.push({ behind: taken + subscription.readableLength, said });
    bell.ring();
  };
  const subscription = client.subscribeToAll({
    fromPosition: after === undefined ? START : { commit: after, prepare: after },
    filter: createFilter(prefixes, say),
    requiresLeader: true,
  });
  let broken: unknown;
  let isLive = false;
  const breakWith = (error: unknown): void => {
    broken ??= error;
    bell.ring();
  };
  subscription.on('caughtUp', () => say({ caughtUp: true }));
  subscription.on('readable', bell.ring);
  subscription.on('error', breakWith);
  subscription.on('end', () => breakWith(new Error('the subscription has ended')));
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      const first = between[0];
      if (first !== undefined && first.behind <= taken) {
        between.shift();
        isLive ||= 'caughtUp' in first.said;
        yield first.said;
        continue;
      }
      const resolved: AllStreamResolvedEvent | null = subscription.read();
      if (resolved !== null) {
        taken += 1;
        if (resolved.event !== undefined) yield { event: resolved.event };
        continue;
      }
      if (broken !== undefined) throw broken;
      await (isLive ? bell.rung() : rungInTime(clock, bell));
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    void subscription.unsubscribe().catch(() => {});
  }
}

function createFilter(prefixes: readonly string[] = [''], say: (said: Said) => void): Filter {
  const options = {
    checkpointInterval: checkpointWindows,
    checkpointReached: async (_: unknown, { commit }: Position): Promise<void> => say({ upTo: commit }),
  };
  if (!prefixes.includes('')) return streamNameFilter({ ...options, prefixes: [...prefixes] });
  return streamNameFilter({ ...options, regex: prefixes.includes(metadataStream('')) ? ofOthersDescribed : ofOthers });
}

interface Bell {
  ring: () => void;
  /** Resolves at the next ring; at once where it has rung since the last wait. */
  rung: () => Promise<void>;
}

function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    rung: async () => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      hasRung = false;
      wake = undefined;
    },
  };
}

async function rungInTime(clock: Clock, bell: Bell): Promise<void> {
  const over = new AbortController();
  const rung = bell.rung().then(() => true);
  const inTime = await Promise.race([rung, pause(clock, answerMs, over.signal).then(() => false)]);
  over.abort();
  if (!inTime) throw new NoAnswerError(`no answer within ${answerMs} ms`);
}
