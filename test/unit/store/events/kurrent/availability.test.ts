import { expect, it } from 'vitest';
import { Availability } from '../../../../../src/store/events/kurrent/availability.ts';
import { KurrentConnection } from '../../../../../src/store/events/kurrent/connection.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

it('[FA2.1] an outage is over when no call has failed for 15 s, and each kind of call has its own', async () => {
  const clock = createDrivenClock();
  const availability = new Availability(clock, silent);
  const since = clock.now();
  availability.failed('reading', new Error('refused'));
  await clock.advance(10_000);
  availability.failed('appending', new Error('refused'));
  expect(availability.outage?.since).toBe(since);
  await clock.advance(5_000);
  expect(availability.outage?.since).toBe(since + 10_000);
  await clock.advance(10_000);
  expect(availability.outage).toBeUndefined();
  availability.failed('appending', new Error('refused'));
  expect([availability.outage?.since, availability.awayMs('appending')]).toEqual([since + 10_000, 15_000]);
  availability.succeeded('appending');
  expect([availability.outage, availability.awayMs('appending')]).toEqual([undefined, 0]);
});

it('[FA2.1] a client that is stuck is replaced once, however late another call finds it so', async () => {
  const connection = new KurrentConnection('kurrentdb://127.0.0.1:1?tls=false');
  const stuck = connection.client;
  connection.replace(stuck);
  const next = connection.client;
  expect(next).not.toBe(stuck);
  connection.replace(stuck);
  expect(connection.client).toBe(next);
  await connection.dispose();
});
