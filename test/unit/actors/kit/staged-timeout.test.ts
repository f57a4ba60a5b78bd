import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { StagedTimeout } from '../../../../actors/kit/staged-timeout.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

const late = (what: string) => (): Error => new Error(`the ${what} took too long`);

it('[SR1.3] aborts when a stage takes too long; the next stage begins anew', async () => {
  const clock = createDrivenClock();
  const timeout = new StagedTimeout(clock, undefined);
  timeout.next(1_000, late('head'));
  await clock.advance(999);
  timeout.next(1_000, late('body'));
  await clock.advance(999);
  expect(timeout.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(timeout.signal.reason).toMatchObject({ message: 'the body took too long' });
});

it('[MS6.1] aborts with the caller, for its reason, and does not begin if that was aborted before', () => {
  const clock = createDrivenClock();
  const caller = new LightAbort();
  const timeout = new StagedTimeout(clock, caller);
  caller.abort(new Error('the caller left'));
  expect(timeout.signal.reason).toMatchObject({ message: 'the caller left' });
  timeout.end();
  expect(() => new StagedTimeout(clock, caller)).toThrow('the caller left');
  expect(clock.armed()).toBe(0);
});

it('[SR1.3] leaves no timer and no listener when it has ended', () => {
  const clock = createDrivenClock();
  const caller = new LightAbort();
  const timeout = new StagedTimeout(clock, caller);
  timeout.next(1_000, late('head'));
  timeout.end();
  caller.abort(new Error('the caller left'));
  expect([clock.armed(), timeout.signal.aborted]).toEqual([0, false]);
});
