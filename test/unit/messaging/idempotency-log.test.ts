import { expect, it } from 'vitest';
import { IdempotencyLog } from '../../../src/messaging/idempotency-log.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const hourMs = 3_600_000;

it('[MS7.5] keys that are too old stay neither in memory nor in the log', async () => {
  const clock = createDrivenClock();
  const random = createSeededRandomness(1, clock);
  const store = createMemoryStore(clock);
  const log = await IdempotencyLog.read({ store, clock, random, reportUnreadable: allReadable }, 's1', clock.now());
  const begin = (key: string) => log.begin(random.uuid(), { key, body: 'b', randomId: '1', at: clock.now() });
  const kept = async (): Promise<[number, number]> => {
    let events = 0;
    for await (const _event of store.read('send-s1')) events += 1;
    return [log.size, events];
  };
  await begin('one');
  await clock.advance(2 * hourMs);
  await begin('two');
  // An hour at least lies between two looks.
  await clock.advance(22.5 * hourMs);
  await begin('three');
  expect(await kept()).toEqual([3, 3]);
  await clock.advance(hourMs);
  await begin('four');
  expect(await kept()).toEqual([3, 3]);
  expect([log.get('one', clock.now()), log.get('two', clock.now())?.key]).toEqual([undefined, 'two']);
});
