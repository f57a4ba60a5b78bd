import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
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
/** The progress of outboxes is not read before the gate opens. */
function holdOpening(): ReturnType<typeof createGate> {
  const gate = createGate();
  const last = world.store.last.bind(world.store);
  world.store.last = async (stream) => {
    if (stream.startsWith('outbox-')) await gate.passed;
    return last(stream);
  };
  return gate;
}

describe('a dispatcher that has released a session', () => {
  it('[CL2.10] opens no outbox of it: for no event, for no look at its status', async () => {
    await arrive('one');
    await world.dispatcher.release(allPartitions, false);
    await world.dispatcher.status(id);
    await arrive('two');
    await world.dispatcher.trim(id, world.clock.now());
    await world.pass(1000);
    expect(texts(world.received)).toEqual(['one']);
    expect(world.dispatcher.backlog).toMatchObject({ pending: 0, delivered: 1 });
  });

  it.each([false, true])(
    '[CL2.10] goes on at the place of its next owner when it takes it again; lost: %s',
    async (isLost) => {
      const first = world.dispatcher;
      await arrive('one');
      await world.pass(1000);
      await first.release(allPartitions, isLost);
      await first.status(id);

      const second = world.createDispatcher();
      world.dispatcher = second;
      await second.take(allPartitions);
      await arrive('two');
      await world.pass(1000);
      await second.release(allPartitions, false);

      world.dispatcher = first;
      await first.take(allPartitions);
      await arrive('three');
      await world.pass(1000);
      expect(world.received.map(({ payload }) => payload.seq)).toEqual([1, 2, 3]);
      expect(await first.status(id)).toMatchObject({ pending: 0, parked: 0 });
    },
  );

  it.each([false, true])(
    '[CL2.10] does not start an outbox that is being opened meanwhile; lost: %s',
    async (isLost) => {
      const gate = holdOpening();
      await arrive('one');
      const released = world.dispatcher.release(allPartitions, isLost);
      await world.settle();
      gate.open();
      await released;
      await world.pass(1000);
      expect(texts(world.received)).toEqual([]);

      await world.dispatcher.take(allPartitions);
      await world.pass(1000);
      expect(texts(world.received)).toEqual(['one']);
    },
  );

  it('[CL2.10] records no replay on what it has read before', async () => {
    await arrive('one');
    await world.pass(1000);
    const gate = holdOpening();
    const replayed = world.dispatcher.replay(id, { from: 1 });
    await world.settle();
    await world.dispatcher.release(allPartitions, true);
    const taken = world.dispatcher.take(allPartitions);
    gate.open();
    await expect(replayed).rejects.toThrow('has left this process');
    await taken;
    await world.pass(1000);
    expect(world.received).toHaveLength(1);
  });
});
