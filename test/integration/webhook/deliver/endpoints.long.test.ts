import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, type Received, texts, World } from '../../../support/webhook/world.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** WH4 */
const scheduleMs = [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 3600, 3600].map((seconds) => seconds * secondMs);
const events = 50;
const chats = 5;
const watchedMs = 4 * hourMs;

let world: World;
beforeEach(async () => {
  world = await new World().begin();
});
afterEach(() => world.end());

const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(code, headers).end('thank you');

const arriving = Array.from({ length: events }, (_, index) => ({ text: `${index}`, from: 3000 + (index % chats) }));
const firsts = arriving.slice(0, chats);
/** Where no request tells of which chat a try was. */
const ofOneChat = arriving.map(({ text }) => ({ text, from: 3000 }));

async function watch(behaviour: Behaviour, url = world.url, messages = arriving): Promise<string> {
  world.behaviour = behaviour;
  const id = await world.session(url);
  await world.arrive(id, messages);
  await world.pass(watchedMs);
  return id;
}

/** All came, each once, in the order of its chat. */
function expectAll(received: readonly Received[]): void {
  for (const { from } of firsts) {
    expect(texts(received, from)).toEqual(arriving.filter((each) => each.from === from).map(({ text }) => text));
  }
}

/** Only the first of each chat was tried, when it was to be tried; the rest waits. */
function expectSchedule(times: readonly number[], attemptMs = 0): void {
  expect(times.length).toBeGreaterThan(8);
  for (const [index, at] of times.slice(1).entries()) {
    const waited = at - (times[index] ?? 0) - attemptMs;
    const due = scheduleMs[index] ?? hourMs;
    expect(waited).toBeGreaterThanOrEqual(due * 0.8 - 1);
    expect(waited).toBeLessThanOrEqual(due * 1.2 + 1);
  }
}

/** Answers at last: whatever waits comes, each once under its ID, in the order of its chat. */
async function expectRecovery(id: string): Promise<void> {
  world.behaviour = status(200);
  await world.pass(2 * hourMs);
  expectAll(world.received);
  expect(texts(world.received)).toHaveLength(events);
  const idsOf = new Map(world.received.map(({ payload }) => [payload.seq, payload.id]));
  for (const { payload } of world.received) expect(payload.id).toBe(idsOf.get(payload.seq));
  expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
}

const triesOf = (chat: number): number[] =>
  world.received
    .filter(({ payload: { data } }) => 'chatId' in data && data.chatId === String(chat))
    .map(({ at }) => at);

describe('an endpoint', () => {
  it.each([200, 201, 204])('[WH4.1] that responds with %i gets each event once and in order', async (code) => {
    const id = await watch(status(code));
    expect(world.received).toHaveLength(events);
    expectAll(world.received);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0, lastError: '' });
  });

  it.each([300, 301, 400, 404, 500])('[WH4.2] that responds with %i is tried again on schedule', async (code) => {
    const id = await watch(status(code, { location: `${world.url}/elsewhere` }));
    expect(world.received.map(({ path }) => path)).not.toContain('/hook/elsewhere');
    for (const { from, text } of firsts) {
      expect(texts(world.received, from)).toEqual([text]);
      expectSchedule(triesOf(from));
    }
    const lastError = `it answered with status ${code}`;
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: events, parked: 0, lastError });
    await expectRecovery(id);
  });

  it('[WH4.5] that responds with 410 is not tried again', async () => {
    const id = await watch(status(410));
    expect(world.received.length).toBeLessThanOrEqual(chats);
    expect(world.views.get(id)?.webhook).toBeUndefined();
  });

  it('[WH4.2] that responds with 429 is given the time it asks for, in seconds or as a date', async () => {
    world.behaviour = (response, { at }) => {
      const retryAfter = at % 2 === 0 ? '1234' : new Date(at + 1_234_000).toUTCString();
      response.writeHead(429, { 'retry-after': retryAfter }).end();
    };
    const id = await watch(world.behaviour);
    for (const { from } of firsts) {
      const tries = triesOf(from);
      expect(tries.length).toBeGreaterThan(8);
      for (const [index, at] of tries.slice(1).entries()) {
        const waited = at - (tries[index] ?? 0);
        const due = scheduleMs[index] ?? hourMs;
        // Half an hour and more: what is asked for is less than that.
        const shortest = Math.max(1_233_000, due * 0.8 - 1);
        expect(waited).toBeGreaterThanOrEqual(shortest);
        expect(waited).toBeLessThanOrEqual(Math.max(1_235_000, due * 1.2 + 1));
      }
    }
    await expectRecovery(id);
  });

  it.each(['86400', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    '[WH4.2] that asks for more than an hour is tried again after an hour: %s',
    async (retryAfter) => {
      const id = await watch(status(503, { 'retry-after': retryAfter }));
      for (const { from } of firsts) {
        const tries = triesOf(from);
        expect(tries.length).toBeGreaterThanOrEqual(4);
        for (const [index, at] of tries.slice(1).entries()) {
          expect(at - (tries[index] ?? 0)).toBeGreaterThanOrEqual(hourMs);
          expect(at - (tries[index] ?? 0)).toBeLessThanOrEqual(1.2 * hourMs + 1);
        }
      }
      await expectRecovery(id);
    },
  );

  it('[WH4.3] that fails for 24 h gets one last try then', async () => {
    const id = await watch(status(503));
    await world.pass(19.9 * hourMs);
    const tries = world.received.length;
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: events, parked: 0 });
    await world.pass(2 * hourMs);
    expect(world.received.length).toBeGreaterThan(tries);
    expect(texts(world.received)).toHaveLength(events);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: events });
  });

  it('[WH4.2] that hangs has failed after 10 s', async () => {
    const id = await watch(() => {});
    for (const { from } of firsts) expectSchedule(triesOf(from), 10 * secondMs);
    expect((await world.dispatcher.status(id)).lastError).toBe('it took too long');
    await expectRecovery(id);
  });

  it('[WH4.2] that drips its header has failed after 10 s; one that drips only its body has not', async () => {
    const drip = (socket: NodeJS.WritableStream, text: string): void => {
      for (const [index, letter] of text.split('').entries()) {
        world.clock.setTimeout(() => socket.write(letter), index * secondMs);
      }
    };
    await watch(({ socket }) => void (socket && drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')));
    expectSchedule(triesOf(3000), 10 * secondMs);
    world.behaviour = (response) => {
      response.writeHead(200).flushHeaders();
      drip(response, 'a'.repeat(60));
    };
    await world.pass(2 * hourMs);
    expectAll(world.received);
    expect(texts(world.received)).toHaveLength(events);
  });

  it('[WH4.2] that resets the connection is tried again on schedule', async () => {
    const id = await watch(({ socket }) => socket?.resetAndDestroy());
    for (const { from } of firsts) expectSchedule(triesOf(from));
    expect((await world.dispatcher.status(id)).lastError).toBe('the connection was lost');
    await expectRecovery(id);
  });

  it('[WH4.2] that does not speak TLS is tried again on schedule', async () => {
    const times: number[] = [];
    const server: Server = createTcpServer((socket) => {
      times.push(world.clock.now());
      socket.on('error', () => {}).end('no TLS here');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const id = await watch(status(200), `https://127.0.0.1:${port}/`, ofOneChat);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: events, lastError: 'it does not speak TLS' });
    expectSchedule(times);
    await world.setWebhook(id, world.url);
    await world.pass(minuteMs);
    expect(texts(world.received)).toEqual(ofOneChat.map(({ text }) => text));
    server.close();
  });

  it('[WH4.2] whose name is dead is tried again on schedule', async () => {
    const id = await watch(status(200), 'http://dead.invalid/', ofOneChat);
    const lastError = 'its name could not be resolved';
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: events, lastError });
    expectSchedule(world.lookups);
    await world.setWebhook(id, world.url);
    await world.pass(minuteMs);
    expect(texts(world.received)).toEqual(ofOneChat.map(({ text }) => text));
  });

  it.each([
    [9_900, true],
    [10_100, false],
  ])('[WH4.2] that takes %i ms is in time: %s', async (tookMs, isInTime) => {
    const id = await watch((response) => void world.clock.setTimeout(() => response.end(), tookMs));
    expect((await world.dispatcher.status(id)).pending).toBe(isInTime ? 0 : events);
    if (isInTime) {
      expect(world.received).toHaveLength(events);
      expectAll(world.received);
    } else {
      for (const { from } of firsts) expectSchedule(triesOf(from), 10 * secondMs);
      await expectRecovery(id);
    }
  });
});
