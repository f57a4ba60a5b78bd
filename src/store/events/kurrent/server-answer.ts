import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Activity, Availability } from './availability.ts';
import type { KurrentConnection } from './connection.ts';
import { judge } from './failures.ts';

export const noAnswerWithin = (limitMs: number): Error => new TimeoutError(`no answer within ${limitMs} ms`);

/** One kind of call: over a connection of its own, known by its activity to who asks whether the server answers. */
export interface AnswerLine {
  activity: Activity;
  connection: KurrentConnection;
  clock: Clock;
  availability: Availability;
}

/**
 * What a call comes to, unless it takes longer. Tells on the way whether the server answers; and a client that may be
 * stuck is replaced, for whoever asks next.
 * @throws {TimeoutError} it took longer. @throws what it came to.
 */
export async function answerOf<T>(
  { activity, connection, clock, availability }: AnswerLine,
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
    return result;
  } catch (error) {
    const verdict = judge(error);
    if (verdict === 'answer') availability.succeeded(activity);
    else availability.failed(activity, error);
    if (verdict === 'anew') connection.replace(client);
    throw error;
  }
}
