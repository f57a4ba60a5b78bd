import { beforeEach, expect, it } from 'vitest';
import type { AuthKey } from '../../../../sandbox/rpc.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let cara: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture({ rateLimits: true });
  cara = await fixture.logIn(1003);
});

let part = 0;
const savePart = (key: AuthKey): Promise<string> =>
  outcome(
    fixture.call(key, 'upload.saveBigFilePart', {
      file_id: 7n,
      file_part: part++,
      file_total_parts: 4_000,
      bytes: Buffer.alloc(524_288),
    }),
  );
const resolve = (key: AuthKey): Promise<string> =>
  outcome(fixture.call(key, 'contacts.resolveUsername', { username: 'bob' }));
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: Error) => error.message,
  );
/** The outcomes of many calls at once, each with how often it occurred. */
async function burst(count: number, call: () => Promise<string>): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  for (let n = 0; n < count; n += 1) {
    const one = await call();
    seen[one] = (seen[one] ?? 0) + 1;
  }
  return seen;
}

it('a free account uploads 20 parts at once, then one a second, after the wait that it is told', async () => {
  expect(await burst(25, () => savePart(cara))).toEqual({ ok: 20, '420 FLOOD_PREMIUM_WAIT_3': 5 });
  fixture.clock.time += 1_000;
  expect(await savePart(cara)).toBe('420 FLOOD_PREMIUM_WAIT_2');
  fixture.clock.time += 2_000;
  expect(await burst(4, () => savePart(cara))).toEqual({ ok: 3, '420 FLOOD_PREMIUM_WAIT_3': 1 });
  fixture.clock.time += 60_000;
  expect(await burst(25, () => savePart(cara))).toEqual({ ok: 20, '420 FLOOD_PREMIUM_WAIT_3': 5 });
});

it('a premium account uploads as fast as it can', async () => {
  const ann = await fixture.logIn(1001);
  expect(await burst(100, () => savePart(ann))).toEqual({ ok: 100 });
});

it('every account looks up 200 names, then one in 432 s, and numbers by themselves', async () => {
  const ann = await fixture.logIn(1001);
  expect(await burst(201, () => resolve(ann))).toEqual({ ok: 200, '420 FLOOD_WAIT_432': 1 });
  const byPhone = fixture.call(ann, 'contacts.resolvePhone', { phone: '15550000002' });
  expect(await outcome(byPhone)).toBe('ok');
  expect(await resolve(cara)).toBe('ok');
  fixture.clock.time += 432_000;
  expect(await burst(2, () => resolve(ann))).toEqual({ ok: 1, '420 FLOOD_WAIT_432': 1 });
});

it('a world without limits has none', async () => {
  fixture = await openWorldFixture();
  const other = await fixture.logIn(1003);
  expect(await burst(100, () => savePart(other))).toEqual({ ok: 100 });
});
