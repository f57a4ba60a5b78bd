import { expect, it } from 'vitest';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { prepareAll } from '../../../../src/media/outgoing/prepare-all.ts';

const never = new LightAbort();

/** Ends only with the signal, a turn later. */
const lasting = (stop: LightAbortSignal, onEnd: () => void): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => {
      onEnd();
      reject(new Error('ended', { cause: stop.reason }));
    };
    if (stop.aborted) setImmediate(end);
    else stop.addEventListener('abort', () => void setImmediate(end));
  });

it('[MX1.2] the files of an album are prepared at the same time and stand in their order', async () => {
  const begun: number[] = [];
  const prepared = await prepareAll(['a', 'b', 'c'], never, async (request, place) => {
    begun.push(place);
    if (place === 0) {
      await new Promise((resolve) => void setImmediate(resolve));
      expect(begun).toEqual([0, 1, 2]);
    }
    return `${request}${place}`;
  });
  expect(prepared).toEqual(['a0', 'b1', 'c2']);
});

it('[MX1.2] the first failure ends the others, and is thrown when they have ended', async () => {
  let ended = 0;
  const work = prepareAll([0, 1, 2], never, async (place, _place, stop) => {
    if (place === 1) throw new Error('broken');
    return lasting(stop, () => (ended += 1));
  });
  await expect(work).rejects.toThrow('broken');
  expect(ended).toBe(2);
});

it('[MX1.2] the caller can end all of them', async () => {
  const caller = new LightAbort();
  let ended = 0;
  const work = prepareAll([0, 1], caller, async (_request, _place, stop) => lasting(stop, () => (ended += 1)));
  caller.abort(new Error('left'));
  await expect(work).rejects.toThrow('left');
  expect(ended).toBe(2);
  await expect(prepareAll([0], caller, async () => 1)).rejects.toThrow('left');
});
