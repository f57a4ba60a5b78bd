import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookIn, webhooksOf } from '../../../../src/webhook/places/active-webhooks.ts';
import { texts, World } from '../../../support/webhook/world.ts';

const dayMs = 24 * 60 * 60_000;

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

/** Sets the webhook in a slot; its path tells what came to it. */
async function set(slot: number, settings: object = {}): Promise<void> {
  const webhook = { url: `${world.url}/${slot}`, token: 'token', ...settings };
  const { position } = await world.sessions.setWebhook(id, webhook, { slot });
  await world.views.waitFor(position);
}
async function turnOff(slot: number): Promise<void> {
  const { position } = await world.sessions.setWebhook(id, null, { slot });
  await world.views.waitFor(position);
}
const at = (slot: number) => world.received.filter(({ path }) => path === (slot === 1 ? '/hook' : `/hook/${slot}`));
const places = (slot: number) =>
  at(slot)
    .map(({ payload: { seq, previous } }) => [previous, seq])
    .toSorted(([, one = 0], [, other = 0]) => one - other);
const arrive = async (...sent: [text: string, from: number][]): Promise<void> => {
  await world.arrive(
    id,
    sent.map(([text, from]) => ({ text, from })),
  );
  await world.settle();
};

describe('several webhooks of a session', () => {
  it('[EV2.2] one that does not answer, or always fails, delays no other', async () => {
    await set(2);
    await set(3);
    world.behaviour = (response, { path }) => {
      if (path === '/hook/2') return;
      if (path === '/hook/3') response.statusCode = 500;
      response.end();
    };
    const sent = Array.from({ length: 40 }, (_, index): [string, number] => [`text ${index}`, 2000 + (index % 12)]);
    await arrive(...sent);
    // No time has passed.
    expect(places(1)).toHaveLength(40);
    expect([await world.dispatcher.status(id), await world.dispatcher.status(id, 3)]).toMatchObject([
      { pending: 0, lastError: '' },
      { pending: 40, lastError: 'it answered with status 500' },
    ]);
    world.behaviour = (response) => response.end();
    await world.pass(60_000);
    for (const slot of [2, 3]) {
      expect(texts(at(slot)).toSorted()).toEqual(sent.map(([text]) => text).toSorted());
      for (const [, from] of sent) expect(texts(at(slot), from)).toEqual(texts(at(1), from));
      expect(await world.dispatcher.status(id, slot)).toMatchObject({ pending: 0 });
    }
  });

  it('[EV2.3] [EV2.4] each gets what its filter lets pass since it was set, and which event of its own came before', async () => {
    await arrive(['one', 2000]);
    await set(2, { chats: ['2001'] });
    await set(3, { events: ['message.edited'] });
    await arrive(['two', 2000], ['three', 2001], ['four', 2000]);
    await set(4);
    await arrive(['five', 2001], ['six', 2002]);
    await world.pass(1000);
    expect(places(1)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(places(2)).toEqual([
      [0, 3],
      [3, 5],
    ]);
    expect(places(3)).toEqual([]);
    expect(places(4)).toEqual([
      [0, 5],
      [5, 6],
    ]);
    for (const slot of [1, 2, 3, 4])
      expect(await world.dispatcher.status(id, slot)).toMatchObject({ pending: 0, parked: 0 });
  });

  it('[EV2.5] has eight attempts in flight in all, and each webhook one of its own', async () => {
    for (const slot of [2, 3, 4, 5]) await set(slot);
    world.behaviour = () => {};
    await arrive(...Array.from({ length: 40 }, (_, index): [string, number] => [`text ${index}`, 2000 + index]));
    expect([1, 2, 3, 4, 5].map((slot) => at(slot).length).every((count) => count > 0)).toBe(true);
    expect(world.received).toHaveLength(8);
  });

  it('[EV2.2] a restart continues each at its own place', async () => {
    await set(2, { chats: ['2001'] });
    world.behaviour = (response, { path }) => {
      if (path === '/hook/2') response.statusCode = 503;
      response.end();
    };
    await arrive(['one', 2000], ['two', 2001], ['three', 2001], ['four', 2000]);
    await world.pass(1000);
    expect(await world.dispatcher.status(id, 2)).toMatchObject({ pending: 2 });
    await world.kill();
    world.behaviour = (response) => response.end();
    await world.start();
    await world.pass(10_000);
    expect(texts(at(1)).toSorted()).toEqual(['four', 'one', 'three', 'two']);
    expect(texts(at(2))).toEqual(['two', 'three']);
    expect(at(1)).toHaveLength(4);
    await arrive(['five', 2001]);
    expect([places(1).at(-1), places(2).at(-1)]).toEqual([
      [4, 5],
      [3, 5],
    ]);
  });

  it('[EV2.2] each is replayed, parked, tested and trimmed by itself', async () => {
    await set(2, { chats: ['2001'] });
    world.behaviour = (response, { path }) => {
      if (path === '/hook/2') response.statusCode = 500;
      response.end();
    };
    await arrive(['one', 2000], ['two', 2001], ['three', 2000]);
    await world.pass(dayMs + 3_600_000);
    expect(await world.dispatcher.parked(id, 0, 10, 2)).toMatchObject([{ seq: 2 }]);
    expect(await world.dispatcher.parked(id, 0, 10)).toEqual([]);
    const webhook = webhookIn(world.views.get(id), 2);
    expect(webhook && (await world.dispatcher.test(webhook))).toMatchObject({ delivered: false, status: 500 });
    world.behaviour = (response) => response.end();
    const before = world.received.length;
    await world.dispatcher.replay(id, { from: 1 }, 2);
    await world.settle();
    expect(world.received.slice(before).map(({ path, payload: { seq } }) => [path, seq])).toEqual([['/hook/2', 2]]);
    expect(await world.dispatcher.status(id, 2)).toMatchObject({ pending: 0, parked: 0 });
  });

  it('[EV2.1] one that is turned off gets no more, and the next one in its slot nothing of its', async () => {
    await set(2);
    const [, first] = webhooksOf(world.views.get(id) ?? expect.fail());
    world.behaviour = (response, { path }) => {
      if (path === '/hook/2') response.statusCode = 503;
      response.end();
    };
    await arrive(['for the first', 2000]);
    await turnOff(2);
    await arrive(['for none', 2000]);
    world.behaviour = (response) => response.end();
    await set(2);
    const [, next] = webhooksOf(world.views.get(id) ?? expect.fail());
    expect(next?.key).not.toBe(first?.key);
    const before = at(2).length;
    await arrive(['for the next', 2000]);
    await world.pass(60_000);
    expect(texts(at(2).slice(before))).toEqual(['for the next']);
    expect(places(2).at(-1)).toEqual([0, 3]);
    expect(texts(at(1))).toEqual(['for the first', 'for none', 'for the next']);
  });

  it('[EV2.1] [WH4.5] a 410 turns off the one that answered it', async () => {
    await set(2);
    world.behaviour = (response, { path }) => {
      if (path === '/hook/2') response.statusCode = 410;
      response.end();
    };
    await arrive(['one', 2000], ['two', 2001]);
    await world.pass(1000);
    expect(webhooksOf(world.views.get(id) ?? expect.fail()).map(({ slot }) => slot)).toEqual([1]);
    await arrive(['three', 2000]);
    expect(texts(at(1)).toSorted()).toEqual(['one', 'three', 'two']);
  });

  it('[EV2.1] without the first, the others go on', async () => {
    await set(2);
    await world.setWebhook(id, null);
    await arrive(['one', 2000]);
    expect([texts(at(1)), texts(at(2))]).toEqual([[], ['one']]);
  });
});
