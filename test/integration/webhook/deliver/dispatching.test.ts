import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rewind } from '../../../../src/webhook/stream/rewind.ts';
import { loadProgress } from '../../../../src/webhook/stream/stored-progress.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { texts, World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const many = (count: number, chats: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `text ${index}`, from: 2000 + (index % chats) }));

describe('deliveries', () => {
  it('[WH2.2] go out as they are recorded, signed and numbered', async () => {
    await world.arrive(id, [{ text: 'hello', from: 2000 }]);
    await world.settle();
    const [first] = world.received;
    expect(first?.payload).toMatchObject({
      seq: 1,
      type: 'message',
      session: { id },
      data: { chatId: '2000', text: 'hello', fromMe: false, user: { id: '2000', name: 'Person 2000' } },
    });
    expect(first?.headers['x-token']).toBe('secret of the receiver');
    expect(first?.headers['webhook-id']).toBe(first?.payload.id);
    expect(await world.dispatcher.status(id)).toEqual({
      pending: 0,
      lastDelivered: world.clock.now(),
      lastError: '',
      lastFailed: undefined,
      nextAttempt: undefined,
      parked: 0,
    });
  });

  it('[WH4.1] keep their order in each chat, and chats go side by side', async () => {
    let atOnce = 0;
    let most = 0;
    world.behaviour = (response) => {
      most = Math.max(most, (atOnce += 1));
      setImmediate(() => {
        atOnce -= 1;
        response.end();
      });
    };
    await world.arrive(id, many(300, 20));
    await world.settle();
    expect(world.received).toHaveLength(300);
    for (let chat = 2000; chat < 2020; chat += 1) {
      const numbers = texts(world.received, chat).map((text) => Number(text.slice(5)));
      expect(numbers).toHaveLength(15);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('[WH4.1] of a chat wait for one that fails; those of other chats do not', async () => {
    world.behaviour = (response, { payload }) => {
      response.statusCode = 'chatId' in payload.data && payload.data.chatId === '2000' ? 500 : 200;
      response.end();
    };
    await world.arrive(id, many(2000, 4));
    await world.settle();
    expect(texts(world.received)).toHaveLength(1501);
    expect((await world.dispatcher.status(id)).pending).toBe(500);
    world.behaviour = (response) => response.end();
    await world.pass(10_000);
    expect(texts(world.received, 2000)).toEqual(
      many(2000, 4)
        .filter(({ from }) => from === 2000)
        .map(({ text }) => text),
    );
    expect((await world.dispatcher.status(id)).pending).toBe(0);
  });

  it.each([-2 * hourMs, 2 * hourMs])(
    '[OP8.1] are tried again on time if the wall clock is set by %i ms',
    async (byMs) => {
      world.behaviour = (response) => void response.writeHead(500).end();
      await world.arrive(id, many(4, 2));
      await world.settle();
      expect(world.received).toHaveLength(2);
      world.clock.setWallClockBy(byMs);
      await world.pass(6_000);
      expect(world.received).toHaveLength(4);
      // What fails for the first time after that does not wait for what has waited for long.
      world.behaviour = (response, { payload }) => {
        const isOther = 'chatId' in payload.data && payload.data.chatId === '3000';
        response.writeHead(isOther && world.received.length > 5 ? 200 : 500).end();
      };
      await world.arrive(id, [{ text: 'other', from: 3000 }]);
      await world.settle();
      expect(world.received).toHaveLength(5);
      await world.pass(6_000);
      expect(texts(world.received, 3000)).toEqual(['other']);
      expect((await world.dispatcher.status(id)).pending).toBe(4);
      world.behaviour = (response) => response.end();
      await world.pass(20_000);
      expect((await world.dispatcher.status(id)).pending).toBe(0);
    },
  );

  it('[WH4.1] continue after a crash where they were, with the same IDs', async () => {
    await world.arrive(id, many(40, 3));
    await world.settle();
    await world.pass(300);
    world.behaviour = (response) => {
      response.statusCode = 500;
      response.end();
    };
    await world.arrive(id, [
      { text: 'later', from: 2000 },
      { text: 'last', from: 2000 },
    ]);
    await world.settle();
    const before = world.received.length;
    await world.kill();
    world.behaviour = (response) => response.end();
    await world.start();
    await world.pass(minuteMs);
    expect(texts(world.received)).toHaveLength(42);
    expect(world.received.slice(before).map(({ payload: { seq } }) => seq)).toEqual([41, 42]);
    const ids = new Map(world.received.map(({ payload }) => [payload.seq, payload.id]));
    for (const { payload } of world.received) expect(payload.id).toBe(ids.get(payload.seq));
  });

  it('[WH4.2] are parked after 24 h, listed, and sent again when asked', async () => {
    world.behaviour = (response) => {
      response.statusCode = 503;
      response.end();
    };
    await world.arrive(id, many(3, 2));
    await world.pass(25 * hourMs);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 3 });
    const tried = world.received.length;
    await world.pass(3 * hourMs);
    expect(world.received).toHaveLength(tried);
    const parked = await world.dispatcher.parked(id, 0, 2);
    expect(parked.map(({ seq, type, error }) => [seq, type, error])).toEqual([
      [1, 'message', 'it answered with status 503'],
      [2, 'message', 'it answered with status 503'],
    ]);
    expect((await world.dispatcher.parked(id, 2, 100)).map(({ seq }) => seq)).toEqual([3]);
    world.behaviour = (response) => response.end();
    await world.dispatcher.replay(id, { from: 2 });
    await world.settle();
    const again = world.received.slice(tried).map(({ payload }) => payload);
    expect(again.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(again[0]?.id).toBe(parked[1]?.id);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 1 });
  });

  it('[WH1.3] sent again from a fraction on leave no number out', async () => {
    world.behaviour = (response) => void response.writeHead(503).end();
    await world.arrive(id, many(5, 2));
    await world.pass(25 * hourMs);
    world.behaviour = (response) => response.end();
    world.received.length = 0;
    await world.dispatcher.replay(id, { from: 2.5 });
    await world.settle();
    expect(world.received.map(({ payload: { seq } }) => seq)).toEqual([3, 4, 5]);
    expect((await world.dispatcher.parked(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 2 });
  });

  it('[WH4.1] sent again while the stream is being read are all sent again, after a crash too', async () => {
    await world.arrive(id, many(68, 4));
    await world.settle();
    await world.pass(1000);
    const gates = [createGate(), createGate()];
    const waiting = [...gates];
    const read = world.store.read.bind(world.store);
    world.store.read = async function* (stream, options) {
      const gate = options?.limit === 64 ? waiting.shift() : undefined;
      for await (const event of read(stream, options)) {
        if (event.revision > 30) await gate?.passed;
        yield event;
      }
    };
    await world.dispatcher.replay(id, { from: 20 });
    await world.settle();
    world.behaviour = () => {};
    await world.dispatcher.replay(id, { from: 1 });
    await world.settle();
    expect(waiting).toEqual([]);
    gates[0]?.open();
    await world.pass(1000);
    await world.kill();
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await world.start();
    await world.pass(1000);
    expect(new Set(world.received.map(({ payload: { seq } }) => seq)).size).toBe(68);
  });

  it('[WH4.5] end with 410, which turns the webhook off and is in the audit', async () => {
    world.behaviour = (response) => {
      response.statusCode = 410;
      response.end();
    };
    await world.arrive(id, many(20, 10));
    await world.settle();
    await world.pass(minuteMs);
    expect(world.views.get(id)?.webhook).toBeUndefined();
    const tried = world.received.length;
    expect(tried).toBeLessThanOrEqual(8);
    await world.pass(2 * hourMs);
    expect(world.received).toHaveLength(tried);
    const events = [];
    for await (const event of world.store.read(`session-${id}`)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'WebhookSet', data: { webhook: null, reason: 'receiver-gone' } });
    expect((await world.dispatcher.status(id)).lastError).toBe('it answered with status 410');
  });

  it('[WH5.1] for a webhook that was turned off are not for the next one', async () => {
    world.behaviour = (response) => {
      response.statusCode = 500;
      response.end();
    };
    await world.arrive(id, many(20, 2));
    await world.settle();
    await world.setWebhook(id, null);
    await world.pass(1000);
    const before = world.received.length;
    world.behaviour = (response) => response.end();
    await world.setWebhook(id, `${world.url}/new`);
    await world.arrive(id, [{ text: 'new', from: 2000 }]);
    await world.pass(hourMs);
    expect(world.received.slice(before).map(({ path, payload }) => [path, payload.seq])).toEqual([['/hook/new', 21]]);
  });

  it('[WH5.1] for a webhook that was turned off are not for the next one, though it had more of them than were read', async () => {
    world.behaviour = () => {};
    await world.arrive(id, many(300, 100));
    await world.settle();
    await world.setWebhook(id, null);
    await world.settle();
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await world.clock.advance(10_000);
    await world.setWebhook(id, world.url.replace('/hook', '/next'));
    await world.arrive(id, [{ text: 'for the next', from: 5000 }]);
    await world.pass(minuteMs);
    expect(texts(world.received.filter(({ path }) => path === '/next'))).toEqual(['for the next']);
    expect((await world.dispatcher.status(id)).pending).toBe(0);
  });

  it('[WH1.3] sent again from a number on keep the delivery that waits just before it', async () => {
    world.behaviour = (response, { payload }) => {
      response.statusCode = 'text' in payload.data && payload.data.text === 'bad' ? 500 : 200;
      response.end();
    };
    await world.arrive(id, [
      { text: 'good', from: 2000 },
      { text: 'bad', from: 2001 },
      { text: 'last', from: 2002 },
    ]);
    await world.settle();
    world.received.length = 0;
    world.behaviour = (response) => response.end();
    await world.dispatcher.replay(id, { from: 3 });
    await world.settle();
    expect(texts(world.received).toSorted()).toEqual(['bad', 'last']);
    expect((await world.dispatcher.status(id)).pending).toBe(0);
  });

  it('[WH5.1] for a webhook that was turned off are not counted when everything is sent again', async () => {
    await world.arrive(id, many(20, 2));
    await world.settle();
    await world.setWebhook(id, null);
    await world.clock.advance(1000);
    await world.setWebhook(id, world.url);
    await world.arrive(id, many(3, 2));
    await world.pass(1000);
    const state = await loadProgress(world, id, 1);
    expect(await rewind(world, id, state, 1)).toMatchObject({ since: state.since, upTo: { seq: 20 } });
    expect(await rewind(world, id, state, 23)).toMatchObject({ since: state.since, upTo: { seq: 22 } });
    const before = world.received.length;
    await world.dispatcher.replay(id, { from: 1 });
    await world.settle();
    expect(world.received.slice(before).map(({ payload: { seq } }) => seq)).toEqual([21, 22, 23]);
  });

  it('[WH4.6] that wait go to another URL at once when it is set', async () => {
    world.behaviour = (response, { path }) => {
      response.statusCode = path === '/hook' ? 500 : 200;
      response.end();
    };
    await world.arrive(id, many(50, 1));
    await world.pass(3 * hourMs);
    await world.setWebhook(id, `${world.url}/new`);
    await world.settle();
    expect(texts(world.received.filter(({ path }) => path === '/hook/new'))).toEqual(
      many(50, 1).map(({ text }) => text),
    );
  });

  it('[WH4.2] of other sessions are not held up by endpoints that hang', async () => {
    const slow = await Promise.all(Array.from({ length: 30 }, () => world.session(`${world.url}/slow`)));
    world.behaviour = (response, { path }) => void (path === '/hook' && response.end());
    for (const each of slow) await world.arrive(each, many(20, 20));
    await world.settle();
    await world.arrive(id, many(100, 10));
    await world.settle();
    expect(texts(world.received.filter(({ path }) => path === '/hook'))).toHaveLength(100);
  });
});
