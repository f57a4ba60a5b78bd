import { beforeEach, describe, expect, it } from 'vitest';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import { type DialAttempt, Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { watchFirstAnswer } from '../../../../src/telegram/connection/first-answer.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';

const anyTime = new AbortController().signal;

let clock: DrivenClock;
let dialler: Dialler;
/** What became of the attempts, and when. */
let ends: string[];

beforeEach(() => {
  clock = createDrivenClock();
  const addressOf = (id: number) => ({ id, host: '127.0.0.1', port: 443, onlyThisPort: true });
  dialler = new Dialler(new DcAddresses(clock, [addressOf(2), addressOf(4)]));
  ends = [];
});

async function dial(dc = 2): Promise<{ attempt: DialAttempt; stop: () => void }> {
  const attempt = await dialler.dial(dc, anyTime);
  const startedAt = clock.elapsed();
  const end = (reason: string): void => void ends.push(`${reason} after ${clock.elapsed() - startedAt} ms`);
  return { attempt, stop: watchFirstAnswer(clock, dialler, attempt, end) };
}

describe('an attempt that nothing answers', () => {
  it('[SE8.2] is given up after 6 s', async () => {
    await dial();
    await clock.advance(5_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual(['no-answer after 6000 ms']);
    expect(clock.armed()).toBe(0);
  });

  it('[SE8.2] is given up at once if it is older than 3 s when another one is answered, or when it is', async () => {
    await dial();
    await clock.advance(4_000);
    await dial();
    const { attempt, stop } = await dial();
    attempt.answered();
    await clock.advance(0);
    expect(ends).toEqual(['overtaken after 4000 ms']);
    await clock.advance(60_000);
    expect(ends.slice(1)).toEqual(['overtaken after 3000 ms']);
    stop();
    expect(clock.armed()).toBe(0);
  });

  it('[SE8.2] has three times as long as the last one that was answered', async () => {
    await dial();
    const slow = await dial();
    await clock.advance(1_500);
    slow.attempt.answered();
    await clock.advance(2_000);
    expect(ends).toEqual([]);
    await clock.advance(60_000);
    expect(ends).toEqual(['overtaken after 4500 ms']);
    slow.stop();
  });

  it('[SE8.2] is not compared with one to another data centre', async () => {
    await dial(2);
    (await dial(4)).attempt.answered();
    await clock.advance(60_000);
    expect(ends).toEqual(['no-answer after 6000 ms']);
  });
});

it('[SE8.2] an attempt that was answered, or stopped, is left alone', async () => {
  const answered = await dial();
  const stopped = await dial();
  answered.attempt.answered();
  stopped.stop();
  (await dial()).attempt.answered();
  await clock.advance(60_000);
  expect(ends).toEqual([]);
  expect(clock.armed()).toBe(0);
});
