import { expect, it } from 'vitest';
import { comeToRest } from '../support/simulation/run-seed.ts';
import { World } from '../support/simulation/world.ts';

const hourMs = 3_600_000;

it.each([-hourMs, hourMs])(
  '[SE4.1] a state ends though the wall clock was set by %i ms, and only that',
  async (byMs) => {
    const world = new World(1, 'clock steps');
    world.trouble.calm = true;
    await world.clock.settle();
    const created = world.life.sessions.create({});
    await world.clock.settle();
    const { id } = await created;
    expect(world.witness.state(id)).toBe('qrPending');
    world.setWallClock(byMs);
    await comeToRest(world);
    await world.checkEnd();
    expect(world.witness.state(id)).toBe('deleted');
  },
);
