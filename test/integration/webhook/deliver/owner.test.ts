import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGate } from '../../../support/kit/gate.ts';
import { texts, World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const arrive = async (text: string): Promise<void> => {
  await world.arrive(id, [{ text, from: 2000 }]);
  await world.settle();
};

it('[CL2.14] posts nothing if it loses a session while it opens what is to be posted', async () => {
  await arrive('one');
  const gate = createGate();
  const open = world.vault.open.bind(world.vault);
  world.vault.openCached = () => undefined;
  world.vault.open = async (...rest) => {
    await gate.passed;
    return open(...rest);
  };
  await arrive('two');
  world.isOwner = false;
  gate.open();
  await world.pass(5_000);
  expect(texts(world.received)).toEqual(['one']);

  world.isOwner = true;
  await world.pass(1_000);
  expect(texts(world.received)).toEqual(['one', 'two']);
  expect(world.dispatcher.backlog).toMatchObject({ pending: 0, delivered: 2, failed: 0 });
});
