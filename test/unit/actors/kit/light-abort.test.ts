import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { LightAbort, onFirstAbort, throwIfAborted } from '../../../../actors/kit/light-abort.ts';

describe('LightAbort', () => {
  it('calls each listener that is left, once, and keeps the first reason', () => {
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

describe('onFirstAbort', () => {
  it('calls its listener once, with the reason of the signal that was aborted first', () => {
    const [one, two] = [new LightAbort(), new LightAbort()];
    const reasons: string[] = [];
    onFirstAbort([one, undefined, two], ({ message }) => reasons.push(message));
    two.abort(new Error('two'));
    one.abort(new Error('one'));
    expect(reasons).toEqual(['two']);
  });

  it('calls nothing once it has been told to stop listening', () => {
    const stop = new LightAbort();
    const reasons: string[] = [];
    const stopListening = onFirstAbort([stop], ({ message }) => reasons.push(message));
    stopListening();
    stopListening();
    stop.abort(new Error('late'));
    expect(reasons).toEqual([]);
  });

  it('leaves nothing on a signal of the platform', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const signals = [one.signal, two.signal];
    const listeners = (): number[] => signals.map((signal) => getEventListeners(signal, 'abort').length);
    onFirstAbort(signals, () => {});
    const stopListening = onFirstAbort(signals, () => {});
    expect(listeners()).toEqual([2, 2]);
    stopListening();
    expect(listeners()).toEqual([1, 1]);
    one.abort();
    expect(listeners()).toEqual([0, 0]);
  });

  it('makes an error of a reason that is none, as an AbortSignal of the platform may have', () => {
    const controller = new AbortController();
    const reasons: Error[] = [];
    onFirstAbort([controller.signal], (reason) => reasons.push(reason));
    controller.abort('a text');
    expect(reasons).toMatchObject([{ message: 'aborted', cause: 'a text' }]);
    expect(() => throwIfAborted([undefined, controller.signal])).toThrow('aborted');
  });
});
