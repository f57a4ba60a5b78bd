import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

it('[SE7.1] sleeps as long as it is told, by the clock, and leaves its signals alone after', async () => {
  const clock = createDrivenClock();
  const stop = new LightAbort();
  let isAwake = false;
  void sleep(clock, 1000, stop).then(() => {
    isAwake = true;
  });
  await clock.advance(999);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  expect(isAwake).toBe(true);
  stop.abort(new Error('too late to matter'));
  await clock.settle();
  expect(clock.armed()).toBe(0);
});

it.each([0, 1])('[OP2.2] ends with signal number %i, and leaves no timer', async (which) => {
  const clock = createDrivenClock();
  const stops = [new LightAbort(), new LightAbort()];
  const failure = failureOf(sleep(clock, 1000, ...stops));
  await clock.settle();
  expect(clock.armed()).toBe(1);
  stops[which]?.abort(new Error('stopped'));
  expect(await failure).toMatchObject({ message: 'stopped' });
  expect(clock.armed()).toBe(0);
});

it('[OP2.2] does not begin if a signal was aborted before', async () => {
  const clock = createDrivenClock();
  await expect(sleep(clock, 1000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(clock.armed()).toBe(0);
});
