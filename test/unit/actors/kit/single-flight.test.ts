import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { SingleFlight } from '../../../../actors/kit/single-flight.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';

function createFlights() {
  const flights = new SingleFlight<string>();
  const begun: LightAbortSignal[] = [];
  const gate = createGate();
  const work = async (signal: LightAbortSignal): Promise<string> => {
    begun.push(signal);
    await gate.passed;
    return `result ${begun.length}`;
  };
  return { begun, gate, ask: (signal = new LightAbort(), key = 'a') => flights.get(key, work, signal) };
}

it('[ME4.1] callers of one key share one run; other keys and later callers have their own', async () => {
  const { begun, gate, ask } = createFlights();
  const shared = [ask(), ask()];
  const other = ask(new LightAbort(), 'b');
  expect(begun).toHaveLength(2);
  gate.open();
  expect(await Promise.all(shared)).toEqual(['result 2', 'result 2']);
  await other;
  await ask();
  expect(begun).toHaveLength(3);
});

it('[ME4.1] a caller that leaves does not disturb the others; the last one that leaves ends the work', async () => {
  const { begun, gate, ask } = createFlights();
  const stops = [new LightAbort(), new LightAbort()];
  const [first, second] = stops.map((stop) => failureOf(ask(stop)));
  stops[0]?.abort(new Error('one left'));
  expect(await first).toMatchObject({ message: 'one left' });
  expect(begun[0]?.aborted).toBe(false);
  stops[1]?.abort(new Error('two left'));
  expect(await second).toMatchObject({ message: 'two left' });
  expect(begun[0]?.aborted).toBe(true);
  const next = ask();
  expect(begun).toHaveLength(2);
  gate.open();
  await next;
});

it('[ME4.1] the end of work that all have left takes nothing from the run that follows it', async () => {
  const flights = new SingleFlight<string>();
  const gates = [createGate(), createGate()];
  let begun = 0;
  const ask = (signal = new LightAbort()) =>
    flights.get(
      'a',
      async () => {
        const run = begun++;
        await gates[run]?.passed;
        return `run ${run}`;
      },
      signal,
    );
  const stop = new LightAbort();
  const former = failureOf(ask(stop));
  stop.abort(new Error('left'));
  await former;
  const next = ask();
  gates[0]?.open();
  await new Promise(setImmediate);
  const joined = ask();
  gates[1]?.open();
  expect([await next, await joined, begun]).toEqual(['run 1', 'run 1', 2]);
});

it('[ME4.1] a caller leaves nothing on its signal once it has its result', async () => {
  const { gate, ask } = createFlights();
  const { signal } = new AbortController();
  const result = ask(signal as unknown as LightAbort);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  gate.open();
  await result;
  await new Promise(setImmediate);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
