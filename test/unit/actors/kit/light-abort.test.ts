import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { wait, within } from '../../../../src/telegram/connection/waiting.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

describe('a stop', () => {
  it('tells everybody who still listens, once, and why', () => {
    const stop = new LightAbort();
    const told: string[] = [];
    const deaf = (): unknown => told.push('deaf');
    stop.addEventListener('abort', () => told.push('first'));
    stop.addEventListener('abort', deaf);
    stop.addEventListener('abort', () => told.push('second'));
    stop.removeEventListener('abort', deaf);
    expect(() => stop.throwIfAborted()).not.toThrow();
    stop.abort(new Error('enough'));
    stop.abort(new Error('again'));
    expect(told).toEqual(['first', 'second']);
    expect([stop.aborted, stop.reason?.message]).toEqual([true, 'enough']);
    expect(() => stop.throwIfAborted()).toThrow('enough');
  });
});

describe('waiting', () => {
  it.each(['first', 'second'])('ends with the %s of its signals, and leaves no timer behind', async (which) => {
    const clock = createDrivenClock();
    const stops = { first: new LightAbort(), second: new LightAbort() };
    const waits = [
      wait(clock, 1000, stops.first, stops.second),
      within(clock, 1000, new Promise(() => {}), () => new Error('late'), stops.first, stops.second),
    ].map((waiting) => waiting.catch((error: unknown) => (error as Error).message));
    stops[which as 'first' | 'second'].abort(new Error(`the ${which}`));
    expect(await Promise.all(waits)).toEqual([`the ${which}`, `the ${which}`]);
    expect(clock.armed()).toBe(0);
  });

  it('does not begin where a signal was aborted before', async () => {
    const clock = createDrivenClock();
    await expect(wait(clock, 1000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(clock.armed()).toBe(0);
  });
});
