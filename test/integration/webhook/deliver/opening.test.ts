import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGate } from '../../../support/kit/gate.ts';
import { texts, World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

/** What `last` of a progress does from here on. */
function whenOpened(act: () => Promise<void>): void {
  const last = world.store.last.bind(world.store);
  world.store.last = async (stream) => {
    if (stream.startsWith('outbox-')) await act();
    return last(stream);
  };
}

describe('an outbox that is being opened', () => {
  it('[WH4.1] delivers what is recorded meanwhile', async () => {
    const gate = createGate();
    whenOpened(() => gate.passed);
    await world.arrive(id, [{ text: 'one', from: 2000 }]);
    await world.settle();
    await world.arrive(id, [{ text: 'two', from: 2000 }]);
    await world.settle();
    expect(world.dispatcher.backlog).toMatchObject({ pending: 0, oldestAt: undefined });
    gate.open();
    await world.settle();
    expect(texts(world.received)).toEqual(['one', 'two']);
  });

  it('[FA7.1] that a defect stops is opened with the next event, and nothing is lost', async () => {
    const defects = [new TypeError('a defect')];
    whenOpened(async () => {
      const defect = defects.shift();
      if (defect !== undefined) throw defect;
    });
    await world.arrive(id, [{ text: 'one', from: 2000 }]);
    await world.settle();
    expect(world.logLines.join('\n')).toContain('what is to be delivered cannot be read');
    expect(texts(world.received)).toEqual([]);
    await world.arrive(id, [{ text: 'two', from: 2000 }]);
    await world.settle();
    expect(texts(world.received)).toEqual(['one', 'two']);
  });

  it('[WH4.1] saves nothing if it has nothing to deliver', async () => {
    await world.arrive(id, [{ text: 'one', from: 2000 }]);
    await world.pass(1000);
    await world.kill();
    await world.start();
    const before = await world.store.last(`outbox-${id}`);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0 });
    await world.pass(1000);
    expect((await world.store.last(`outbox-${id}`))?.revision).toBe(before?.revision);
  });
});

it('[OP5.1] the backlog knows when the oldest delivery of all sessions was recorded', async () => {
  const other = await world.session();
  world.behaviour = (response) => void response.writeHead(500).end();
  const firstAt = world.clock.now();
  await world.arrive(id, [{ text: 'one', from: 2000 }]);
  await world.settle();
  await world.pass(1000);
  await world.arrive(other, [{ text: 'two', from: 2000 }]);
  await world.settle();
  expect(world.dispatcher.backlog).toMatchObject({ pending: 2, oldestAt: firstAt });
});
