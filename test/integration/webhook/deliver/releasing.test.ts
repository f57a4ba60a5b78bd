import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allPartitions, NotOwnerError } from '../../../../actors/ports/ownership.ts';
import { partitionOf } from '../../../../src/cluster/partitions.ts';
import { outboxPrefix, outboxStream } from '../../../../src/webhook/stream/outbox-progress.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
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

  it('[CL2.10] is not done with it while it reads for a replay, which it refuses', async () => {
    await arrive('one');
    await world.pass(1000);
    const gate = holdOpening();
    const replayed = failureOf(world.dispatcher.replay(id, { from: 1 }));
    await world.settle();
    let isReleased = false;
    const released = world.dispatcher.release(allPartitions, false).then(() => {
      isReleased = true;
    });
    await world.settle();
    expect(isReleased).toBe(false);
    gate.open();
    await released;
    expect(await replayed).toBeInstanceOf(NotOwnerError);
  });

  it('[CL2.8] leaves a replay that it is recording to the next owner', async () => {
    await arrive('one');
    await world.pass(1000);
    const first = world.dispatcher;
    const gate = createGate();
    const append = world.store.append.bind(world.store);
    let isHeld = false;
    world.store.append = async (stream, ...rest) => {
      if (stream.startsWith(outboxPrefix)) {
        isHeld = true;
        await gate.passed;
      }
      return append(stream, ...rest);
    };
    const replayed = first.replay(id, { from: 1 });
    await world.settle();
    expect(isHeld).toBe(true);
    const next = world.createDispatcher();
    const taken = first.release(allPartitions, false).then(() => next.take(allPartitions));
    await world.settle();
    gate.open();
    await Promise.all([replayed, taken]);
    await world.pass(1000);
    expect(world.received.map(({ payload }) => payload.seq)).toEqual([1, 1]);
    await next.release(allPartitions, false);
  });

  it('[WH4.5] leaves an endpoint that is gone to the next owner, which asks it at once', async () => {
    let unanswered: ServerResponse | undefined;
    world.behaviour = (response) => {
      unanswered = response;
    };
    await arrive('one');
    const released = Promise.all([
      world.dispatcher.release(allPartitions, false),
      world.sessions.release(allPartitions),
    ]);
    world.behaviour = (response) => response.writeHead(410).end();
    unanswered?.writeHead(410).end();
    await released;
    await world.sessions.take(allPartitions);
    const next = world.createDispatcher();
    await next.take(allPartitions);
    await world.settle();
    expect(world.received.map(({ payload }) => payload.seq)).toEqual([1, 1]);
    expect(world.logLines.join()).not.toContain('could not be turned off');
    await next.release(allPartitions, false);
  });

  it('[CL2.10] records no replay of a session that it has not taken yet', async () => {
    await arrive('one');
    await world.pass(1000);
    const next = world.createDispatcher({ partitionOf });
    const before = await world.store.last(outboxStream(id, 1));
    await expect(next.replay(id, { from: 1 })).rejects.toBeInstanceOf(NotOwnerError);
    expect(await world.store.last(outboxStream(id, 1))).toEqual(before);
  });
});

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
