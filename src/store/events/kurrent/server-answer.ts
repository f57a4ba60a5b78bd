import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Activity, Availability } from './availability.ts';
import type { KurrentConnection } from './connection.ts';
import { judge } from './failures.ts';

export const noAnswerWithin = (limitMs: number): Error => new TimeoutError(`no answer within ${limitMs} ms`);

/** For the calls of one activity, which have their own connection. */
export interface CallDeps {
  activity: Activity;
  connection: KurrentConnection;
  clock: Clock;
  availability: Availability;
}

/**
 * Awaits a call with a timeout, and notes in `availability` whether the server answered. A client that may be stuck is
 * replaced for the next call. One that answers other calls meanwhile is only slow: its calls in flight would be lost with it.
 * @throws {TimeoutError} @throws the call's error.
 */
export async function answerOf<T>(
  { activity, connection, clock, availability }: CallDeps,
  client: KurrentDBClient,
  withinMs: number,
  work: Promise<T>,
): Promise<T> {
  try {
    const result = await withTimeout(
      clock,
      withinMs,
      () => noAnswerWithin(withinMs),
      () => work,
    );
    availability.succeeded(activity);
    connection.answered(client, clock.elapsed());
    return result;
  } catch (error) {
    const verdict = judge(error);
    if (verdict === 'answer') availability.succeeded(activity);
    else availability.failed(activity, error);
    const lately = clock.elapsed() - withinMs / 2;
    const isSlow = error instanceof TimeoutError && connection.hasAnsweredSince(client, lately);
    if (verdict === 'anew' && !isSlow) connection.replace(client);
    throw error;
  }
}
