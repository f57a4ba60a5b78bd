import { afterAll, beforeAll } from 'vitest';
import { systemClock, systemRandomness } from '../../src/clock.ts';
import { openKurrentStore } from '../../src/store/kurrent.ts';
import { KurrentDbDouble } from '../support/kurrentdb-double/server.ts';
import { describeEventStore } from './event-store.ts';

const server = new KurrentDbDouble();
beforeAll(async () => {
  await server.start();
});
afterAll(() => server.stop());

describeEventStore(
  'kurrent',
  async () => {
    const open = () => openKurrentStore({ url: server.url, clock: systemClock, randomness: systemRandomness });
    return { store: open(), reopen: async () => open(), dispose: async () => {} };
  },
  { acceptsReusedIds: true, removesFromAllLater: true },
);
