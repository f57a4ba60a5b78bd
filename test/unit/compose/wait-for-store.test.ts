import { expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { createStoreWait } from '../../../src/compose/wait-for-store.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { failureOf } from '../../support/kit/failure-of.ts';

function openWait() {
  const clock = createDrivenClock();
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (fields: object, message: string) => lines.push({ ...fields, message }) };
  return { clock, lines, wait: createStoreWait({ clock, random: createSeededRandomness(1, clock), log }) };
}

it('[FA3.5] says why a start waits for the store: at once, then each minute', async () => {
  const { clock, lines, wait } = openWait();
  const err = new StoreUnavailableError('the event store could not read');
  let isAway = true;
  const done = wait.until(async () => {
    if (isAway) throw err;
    return 'read';
  });
  await clock.settle();
  const line = { err, message: 'the start waits for the event store' };
  expect(lines).toEqual([line]);
  await clock.advance(59_000);
  expect(lines).toHaveLength(1);
  await clock.advance(2_000);
  expect(lines).toEqual([line, { ...line, suppressed: 59 }]);
  isAway = false;
  await clock.advance(1_000);
  expect(await done).toBe('read');
});

it('[FA3.2] does not repeat what can never succeed', async () => {
  const { lines, wait } = openWait();
  const broken = new Error('the file is damaged');
  expect(await failureOf(wait.until(() => Promise.reject(broken)))).toBe(broken);
  expect(lines).toEqual([]);
});
