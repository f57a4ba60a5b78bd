import { expect, it } from 'vitest';
import { FairGate, type FairGateOptions } from '../../../../actors/kit/fair-gate.ts';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { createGate } from '../../../support/kit/gate.ts';

interface Started {
  outcome: Promise<string>;
  end: () => void;
}

/** Works that note when they begin, and end when they are let. */
function works(options: Partial<FairGateOptions>) {
  const gate = new FairGate({ what: 'pictures', places: 1, maxWaitingPerSession: 100, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    start: (name: string, batch?: object, ...signals: readonly LightAbort[]): Started => {
      const held = createGate();
      const end = (): void => held.open();
      ends.set(name, end);
      const work = async (): Promise<string> => {
        begun.push(name);
        await held.passed;
        return name;
      };
      const [sessionId = '', of] = name.slice(0, -1);
      const outcome = gate.run({ sessionId, of, batch }, work, ...signals);
      outcome.catch(() => {});
      return { outcome, end };
    },
    /** Ends the work that began first and has not ended, one after the other, until none is left. */
    endAll: async (): Promise<void> => {
      for (const name of begun) {
        ends.get(name)?.();
        await turn();
      }
    },
  };
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

it('[NB1.1] sessions take turns, however much each has waiting; within a session the first comes first', async () => {
  const { begun, start, endAll } = works({ places: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'b1', 'c1', 'c2']) start(name);
  await turn();
  expect(begun).toEqual(['a1', 'a2']);
  await endAll();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'c2', 'a5', 'a6', 'a7', 'a8']);
});

it('[NB1.1] a session has as many places as it may, and no other waits for it', async () => {
  const { begun, start, endAll } = works({ places: 4, placesPerSession: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) start(name);
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await endAll();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4', 'b3']);
});

it('[NB1.2] a session with its share of waiting work is refused more, and no other is', async () => {
  const { start, endAll } = works({ maxWaitingPerSession: 2 });
  for (const name of ['a1', 'a2', 'a3']) start(name);
  await expect(start('a4').outcome).rejects.toThrow(/^too many pictures of this session are waiting$/);
  await expect(start('a5').outcome).rejects.toMatchObject({ isOwnShare: true, retryable: true });
  const other = start('b1');
  await endAll();
  await expect(other.outcome).resolves.toBe('b1');
  const again = start('a6');
  again.end();
  await expect(again.outcome).resolves.toBe('a6');
});

it('[NB1.3] what waits of all sessions is bounded, too', async () => {
  const { start, endAll } = works({ maxWaiting: 2 });
  for (const name of ['a1', 'a2', 'b1']) start(name);
  await expect(start('c1').outcome).rejects.toThrow(/^too many pictures are waiting$/);
  await expect(start('d1').outcome).rejects.toMatchObject({ isOwnShare: false, retryable: true });
  await endAll();
  const again = start('c2');
  again.end();
  await expect(again.outcome).resolves.toBe('c2');
});

it('[NB1.2] the pictures of an album count once', async () => {
  const { begun, start, endAll } = works({ maxWaitingPerSession: 2, maxWaiting: 2 });
  const album = {};
  for (const name of ['a1', 'a2', 'a3', 'a4']) start(name, album);
  start('a5');
  await expect(start('a6').outcome).rejects.toThrow(/of this session/);
  start('a7', album);
  await endAll();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a7']);
});

it.each([0, 1])('[NB1.1] work whose signal number %i is aborted leaves the row, and its share', async (which) => {
  const { begun, start, endAll } = works({ maxWaitingPerSession: 1 });
  const stops = [new LightAbort(), new LightAbort()];
  start('a1');
  const left = start('b1', undefined, ...stops);
  stops[which]?.abort(new Error('left'));
  await expect(left.outcome).rejects.toThrow(/^left$/);
  start('b2');
  await endAll();
  expect(begun).toEqual(['a1', 'b2']);
  await expect(start('b3', undefined, ...stops).outcome).rejects.toThrow(/^left$/);
});

it('[NB1.1] a signal does not touch work that has begun', async () => {
  const { start } = works({});
  const stop = new LightAbort();
  const one = start('a1', undefined, stop);
  await turn();
  stop.abort(new Error('left'));
  one.end();
  await expect(one.outcome).resolves.toBe('a1');
});

it('[NB1.1] work that fails gives its place back, once', async () => {
  const gate = new FairGate({ what: 'pictures', places: 1, maxWaitingPerSession: 1 });
  const own = { sessionId: 'a' };
  await expect(gate.run(own, () => Promise.reject(new Error('failed')))).rejects.toThrow(/^failed$/);
  const leave = await gate.enter(own);
  leave();
  leave();
  const leaveAgain = await gate.enter(own);
  let isIn = false;
  void gate.enter(own).then(() => {
    isIn = true;
  });
  await turn();
  expect(isIn).toBe(false);
  leaveAgain();
  await turn();
  expect(isIn).toBe(true);
});

it('[NB1.1] a newcomer does not take the place that passes to one who waits', async () => {
  const { begun, start, endAll } = works({});
  const one = start('a1');
  start('b1');
  one.end();
  void one.outcome.then(() => start('c1'));
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  await endAll();
  expect(begun).toEqual(['a1', 'b1', 'c1']);
});

it('[EV2.5] within a session, those for whom work is take turns, and none takes the last place', async () => {
  const { begun, start, endAll } = works({ places: Infinity, placesPerSession: 2 });
  const first = start('ax1');
  for (const name of ['ax2', 'ax3', 'ax4', 'ay1', 'ay2', 'az1', 'bx1', 'bx2']) start(name);
  await turn();
  expect(begun).toEqual(['ax1', 'ay1', 'bx1']);
  first.end();
  await turn();
  expect(begun.slice(3)).toEqual(['ax2']);
  await endAll();
  expect(begun).toEqual(['ax1', 'ay1', 'bx1', 'ax2', 'ay2', 'bx2', 'az1', 'ax3', 'ax4']);
});
