import { expect, it } from 'vitest';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { NotOwnerError } from '../../../../actors/ports/ownership.ts';
import { GatewayError } from '../../../../src/errors/gateway-error.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { KilledError, mostInAnyMinute, PaceWorld } from '../../../support/messaging/pace-world.ts';

/** Callers that repeat what failed, as `Retry-After` says, over processes that are killed. */
async function sendAll(world: PaceWorld, callers: number, sends: number, kills: number): Promise<void> {
  const { clock } = world;
  const random = createSeededRandomness(callers, clock);
  const work = { next: 0, isDone: false };
  const send = async (randomId: bigint): Promise<void> => {
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        return await world.send({ randomId, isRepeated, latencyMs: Math.floor(random.fraction() * 2_000) });
      } catch (error) {
        if (error instanceof KilledError) await sleep(clock, 500);
        else if (error instanceof GatewayError && error.statusCode === 429)
          await sleep(clock, (error.retryAfterSeconds ?? Number.NaN) * 1000);
        else throw error;
      }
    }
  };
  const caller = async (): Promise<void> => {
    while (work.next < sends) {
      work.next += 1;
      await send(world.newRandomId());
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller)).then(() => {
    work.isDone = true;
  });
  const killedAt = Array.from({ length: kills }, (_kill, place) => Math.floor(((place + 0.7) * sends) / kills));
  while (!work.isDone) {
    await clock.advance(1 + Math.floor(random.fraction() * 2_000));
    if (world.arrivals.length < (killedAt[0] ?? Infinity)) continue;
    killedAt.shift();
    world.kill();
  }
  await all;
  expect(killedAt).toEqual([]);
}

it('[OS7.2] 20 callers get 1,000 messages through at 20 a minute, never more in any minute, over 5 kills', async () => {
  const world = new PaceWorld();
  world.set({ perMinute: 20 });
  const begunAt = world.clock.elapsed();
  await sendAll(world, 20, 1_000, 5);
  expect(world.arrivals).toHaveLength(1_000);
  expect(mostInAnyMinute(world.arrivals)).toBe(20);
  // 50 minutes, what answers take, and up to a minute after each kill.
  expect((world.clock.elapsed() - begunAt) / 60_000).toBeLessThan(70);
});

it('[OS7.3] more callers than a pace can serve get through as well, if they heed Retry-After', async () => {
  const world = new PaceWorld();
  world.set({ perMinute: 5 });
  await sendAll(world, 60, 200, 2);
  expect(world.arrivals).toHaveLength(200);
  expect(mostInAnyMinute(world.arrivals)).toBe(5);
});

it('[CL4.5] sends that wait are refused when their session leaves; one that has its turn goes on, and other sessions too', async () => {
  const world = new PaceWorld();
  world.set({ perMinute: 1 });
  world.set({ perMinute: 1 }, 's2');
  const begun = world.send({ latencyMs: 1_000 });
  const waiting = world.send().catch((error: unknown) => error);
  const others = [world.send({ session: 's2' }), world.send({ session: 's2' })];
  await world.clock.advance(500);
  world.leave();
  expect(await waiting).toBeInstanceOf(NotOwnerError);
  await world.clock.advance(120_000);
  await Promise.all([begun, ...others]);
  expect(world.arrivals.length).toBe(3);
});
