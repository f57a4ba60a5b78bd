import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionPrefix } from '../../../../actors/session/events.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { OperatorsWorld } from '../../../support/webhook/operators-world.ts';

let world: OperatorsWorld;
beforeEach(async () => {
  world = await new OperatorsWorld().begin();
});
afterEach(() => world.end());

it('[CL2.14] posts nothing if it loses an operators’ webhook while it reads what came before the event', async () => {
  await world.add('/ops');
  const gate = createGate();
  const read = world.store.read.bind(world.store);
  let reads = 0;
  world.store.read = async function* (stream, options) {
    if (stream.startsWith(sessionPrefix) && options?.direction === 'backwards') {
      reads += 1;
      await gate.passed;
    }
    yield* read(stream, options);
  };
  await world.session();
  await world.settle();
  expect(reads).toBe(1);
  world.isOwner = false;
  gate.open();
  await world.pass(5_000);
  expect(world.at('/ops')).toEqual([]);

  world.isOwner = true;
  await world.pass(1_000);
  expect(world.at('/ops').map(({ type }) => type)).toEqual(['session.connected']);
  expect(world.operators.backlog).toMatchObject({ pending: 0, delivered: 1, failed: 0 });
});
