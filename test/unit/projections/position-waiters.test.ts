import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PositionWaiters } from '../../../projections/position-waiters.ts';

describe('the readers that wait for a position', () => {
  it('each go on once theirs is reached, in whichever order they came', async () => {
    const waiters = new PositionWaiters();
    const reached: bigint[] = [];
    const waits = [3n, 5n, 10n, 4n].map((position) => waiters.wait(position).then(() => reached.push(position)));
    for (const position of [2n, 3n, 4n, 5n]) {
      waiters.reached(position);
      await Promise.resolve();
    }
    expect(reached).toEqual([3n, 4n, 5n]);
    waiters.reached(12n);
    await Promise.all(waits);
    expect(reached).toEqual([3n, 4n, 5n, 10n]);
  });

  it('leave nothing on the signal once they have gone on', async () => {
    const waiters = new PositionWaiters();
    const { signal } = new AbortController();
    const wait = waiters.wait(1n, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    waiters.reached(1n);
    await wait;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('do not wait with a signal that has been aborted', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(new PositionWaiters().wait(1n, signal)).rejects.toThrow('gone');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
