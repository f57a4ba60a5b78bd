import { describe, expect, it } from 'vitest';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { abortAfter, type PauseTimeout, withTimeout } from '../../../../actors/kit/timeout.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

const late = (): Error => new Error('late');
const never = new Promise<never>(() => {});

/** Work that never ends, and the signal that it was given. */
function endlessWork() {
  const given: { signal?: LightAbortSignal } = {};
  const work = (signal: LightAbortSignal): Promise<never> => {
    given.signal = signal;
    return never;
  };
  return { given, work };
}

describe.each([
  ['withTimeout', withTimeout],
  ['abortAfter', abortAfter],
] as const)('%s', (_name, run) => {
  it('[MS6.1] gives what the work gives, and leaves no timer and no listener', async () => {
    const clock = createDrivenClock();
    const stop = new LightAbort();
    expect(await run(clock, 1000, late, async () => 'done', stop, undefined)).toBe('done');
    expect(clock.armed()).toBe(0);
    expect(await failureOf(run(clock, 1000, late, () => Promise.reject(new Error('failed')), stop))).toMatchObject({
      message: 'failed',
    });
    expect(clock.armed()).toBe(0);
  });

  it('[MS6.1] work that throws before its first promise is a rejection', async () => {
    const clock = createDrivenClock();
    const thrower = (): Promise<never> => {
      throw new Error('at once');
    };
    expect(await failureOf(run(clock, 1000, late, thrower))).toMatchObject({ message: 'at once' });
    expect(clock.armed()).toBe(0);
  });

  it('[MS6.1] does not begin if a signal was aborted before', async () => {
    const clock = createDrivenClock();
    const { given, work } = endlessWork();
    const gone = AbortSignal.abort(new Error('gone'));
    expect(await failureOf(run(clock, 1000, late, work, new LightAbort(), gone))).toMatchObject({ message: 'gone' });
    expect([given.signal, clock.armed()]).toEqual([undefined, 0]);
  });
});

describe('withTimeout', () => {
  it('[MS6.1] rejects when the time is up, also if the work ignores its signal', async () => {
    const clock = createDrivenClock();
    const { given, work } = endlessWork();
    const failure = failureOf(withTimeout(clock, 1000, late, work));
    await clock.advance(999);
    expect(given.signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await failure).toMatchObject({ message: 'late' });
    expect(given.signal?.reason).toMatchObject({ message: 'late' });
  });

  it.each([0, 1])('[MS6.1] rejects at once with the reason of signal number %i', async (which) => {
    const clock = createDrivenClock();
    const { given, work } = endlessWork();
    const stops = [new LightAbort(), new LightAbort()];
    const failure = failureOf(withTimeout(clock, 1000, late, work, ...stops));
    stops[which]?.abort(new Error('stopped'));
    expect(await failure).toMatchObject({ message: 'stopped' });
    expect(given.signal?.reason).toMatchObject({ message: 'stopped' });
    expect(clock.armed()).toBe(0);
  });

  it('[MS6.1] what the work comes to after the time-out is dropped, a failure too', async () => {
    const clock = createDrivenClock();
    const work = (signal: LightAbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setImmediate(reject, new Error('much later')));
      });
    const failure = failureOf(withTimeout(clock, 1000, late, work));
    await clock.advance(1000);
    expect(await failure).toMatchObject({ message: 'late' });
    await clock.settle();
  });
});

describe('abortAfter', () => {
  it('[MS4.1] aborts the work in time, and settles when the work has ended, not before', async () => {
    const clock = createDrivenClock();
    let end: () => void = () => {};
    const work = (signal: LightAbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        end = () => reject(signal.reason);
      });
    let isSettled = false;
    const failure = failureOf(abortAfter(clock, 1000, late, work)).finally(() => {
      isSettled = true;
    });
    await clock.advance(5000);
    expect(isSettled).toBe(false);
    end();
    expect(await failure).toMatchObject({ message: 'late' });
  });

  it('[MS4.1] hands the reason of a signal on to the work', async () => {
    const clock = createDrivenClock();
    const { given, work } = endlessWork();
    const stop = new LightAbort();
    void abortAfter(clock, 1000, late, work, stop);
    stop.abort(new Error('stopped'));
    expect(given.signal?.reason).toMatchObject({ message: 'stopped' });
  });
});

describe('a pause', () => {
  it('[OS7.1] stops the time, which goes on from there', async () => {
    const clock = createDrivenClock();
    let resume: () => void = () => {};
    const failure = failureOf(
      withTimeout(clock, 1000, late, async (_signal, pause) => {
        await sleep(clock, 600);
        resume = pause();
        return never;
      }),
    );
    await clock.advance(10_000);
    expect(clock.armed()).toBe(0);
    resume();
    await clock.advance(399);
    expect(clock.armed()).toBe(1);
    await clock.advance(1);
    expect(await failure).toMatchObject({ message: 'late' });
  });

  it('[OS7.1] that ends after the work leaves no timer', async () => {
    const clock = createDrivenClock();
    const stop = new LightAbort();
    let resume: () => void = () => {};
    const work = (_signal: LightAbortSignal, pause: PauseTimeout): Promise<never> => {
      resume = pause();
      return never;
    };
    const failure = failureOf(withTimeout(clock, 1000, late, work, stop));
    stop.abort(new Error('stopped'));
    expect(await failure).toMatchObject({ message: 'stopped' });
    resume();
    expect(clock.armed()).toBe(0);
  });
});
