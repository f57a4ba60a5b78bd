import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { openStore, openStoreForReading } from '../../../../../src/store/events/open-store.ts';
import { surveyStore } from '../../../../../src/store/tools/survey.ts';
import { KurrentDbDouble } from '../../../../support/kurrentdb-double/server.ts';
import { describeEventStore } from '../../../../support/store/contract/event-store.ts';
import { collect, newEvents } from '../../../../support/store/contract/given.ts';
import { plantInKurrentDb } from '../../../../support/store/plant-event.ts';

const server = new KurrentDbDouble();
const own = { clock: systemClock, randomness: systemRandomness };
beforeAll(() => server.start());
afterAll(() => server.stop());

describeEventStore(
  'kurrent, under a prefix',
  async () => {
    const open = () => openStore(server.url, { ...own, streamPrefix: 'desk-' });
    return {
      store: await open(),
      reopen: open,
      plant: (stream, event) => plantInKurrentDb(server.url, `desk-${stream}`, event),
      dispose: async () => {},
    };
  },
  { acceptsReusedIds: true, removesFromAllLater: true },
);

it('[OP1.3] two gateways on one server do not see each other: not in an overview either', async () => {
  const stores = await Promise.all(
    ['one-', 'two-'].map((streamPrefix) => openStore(server.url, { ...own, streamPrefix })),
  );
  for (const [index, store] of stores.entries()) await store.append('session-a', 'no-stream', newEvents(3 + index));
  await stores[0]?.truncate('session-a', 1);
  const reader = await openStoreForReading(server.url, { ...own, streamPrefix: 'one-' });
  expect([...(await surveyStore(reader))]).toEqual([['session-a', { first: 1, last: 2 }]]);
  expect((await collect(reader.readAll({ prefixes: ['session-'] }))).map(({ stream }) => stream)).toEqual(
    Array.from({ length: 3 }, () => 'session-a'),
  );
  expect(stores.map(({ outage }) => outage)).toEqual([undefined, undefined]);
  await Promise.all([...stores, reader].map((store) => store.close()));
});
