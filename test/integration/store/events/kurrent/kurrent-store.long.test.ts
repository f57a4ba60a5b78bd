import { afterAll, beforeAll } from 'vitest';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { openKurrentStore } from '../../../../../src/store/events/kurrent/kurrent-store.ts';
import { KurrentDbDouble } from '../../../../support/kurrentdb-double/server.ts';
import { watchUsedStreams } from '../../../../support/kurrentdb-double/used-streams.ts';
import { describeEventStore } from '../../../../support/store/contract/event-store.ts';
import { runName } from '../../../../support/store/contract/given.ts';
import { plantInKurrentDb } from '../../../../support/store/plant-event.ts';

/** A server to try the same on: nothing that is on it is touched, and what the rules write is removed. */
const realServer = process.env['KURRENTDB_TEST_URL'];
const double = new KurrentDbDouble();
// A real server forgets when another node leads; this one, every other time.
let repeats = 0;
double.faults.forgets = () => (repeats += 1) % 2 === 0;
const urlOf = (): string => realServer ?? double.url;
let removeUsed: (() => Promise<void>) | undefined;

beforeAll(async () => {
  if (realServer === undefined) await double.start();
  removeUsed = await watchUsedStreams(urlOf(), runName);
});
afterAll(async () => {
  await removeUsed?.();
  await double.stop();
});

describeEventStore(
  realServer === undefined ? 'kurrent' : 'kurrent, on a real server',
  async () => {
    const open = () => openKurrentStore({ url: urlOf(), clock: systemClock, randomness: systemRandomness });
    return {
      store: open(),
      reopen: async () => open(),
      plant: (stream, event) => plantInKurrentDb(urlOf(), stream, event),
      dispose: async () => {},
    };
  },
  { acceptsReusedIds: true, forgetsRepeats: true, removesFromAllLater: true },
);
