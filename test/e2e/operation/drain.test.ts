import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openScene } from '../../support/e2e/scene.ts';

const second = 1000;

it('[OP2.2] a shutdown waits 10 s for a request that does not end, not a second less, and answers it', async () => {
  const scene = await openScene();
  try {
    const caller = await scene.connected();
    const method = 'messages.sendMessage';
    await scene.sandbox.call('POST', '/faults', { method, dropAnswer: true });
    let isOpen = true;
    const body = { username: 'bob', type: 'text', text: 'too slow' };
    const sending = scene.request(caller, 'POST', '/message', body).catch((error: unknown) => {
      isOpen = false;
      return error;
    });
    while ((await scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length === 0) await scene.pass(1);

    let isClosed = false;
    const closing = scene.gateway.close().then(() => {
      isClosed = true;
    });
    await scene.pass(9 * second);
    expect([isOpen, isClosed]).toEqual([true, false]);
    await scene.pass(second);
    expect(await scene.whilePassing(sending)).toMatchObject({
      status: 503,
      body: { statusCode: 503, message: 'service is shutting down' },
    });
    await scene.whilePassing(closing);
    await expect(fetch(scene.gateway.url)).rejects.toThrow('fetch failed');
  } finally {
    await scene.close();
  }
});

/** Asks over a connection of the agent. @throws the connection's error */
const ask = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(`${url}/health/live`, { agent }, (response) => {
      response.resume().once('end', () => resolve(response));
    });
    request.once('error', reject);
  });

it('[OP2.2] for a second, clients that hold a connection are told to close it: none gets a reset', async () => {
  const scene = await openScene();
  const busy = new Agent({ keepAlive: true, maxSockets: 20 });
  const resting = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const { url } = scene.gateway;
    let answered = 0;
    let isWarm: () => void = () => {};
    const warm = new Promise<void>((resolve) => {
      isWarm = resolve;
    });
    const statuses: (string | undefined)[] = [];
    /** Asks again and again over its connection, until it is told to close it. */
    const client = async (): Promise<void> => {
      for (;;) {
        const { statusCode, headers } = await ask(url, busy);
        answered += 1;
        if (answered === 200) isWarm();
        if (headers.connection === 'close') return void statuses.push(`${statusCode} ${headers['retry-after']}`);
      }
    };
    await ask(url, resting);
    const clients = Promise.all(Array.from({ length: 20 }, client));
    await warm;
    const closing = scene.gateway.close({ refusingMs: second });
    await clients;
    expect(statuses.filter((status) => status === '503 5').length).toBeGreaterThan(0);
    // A response that was under way when the closing began says no more than to close.
    expect(statuses.filter((status) => status !== '503 5' && status !== '200 undefined')).toEqual([]);
    await scene.pass(second - 1);
    const { statusCode, headers } = await ask(url, resting);
    expect([statusCode, headers]).toMatchObject([503, { 'retry-after': '5', connection: 'close' }]);
    await scene.whilePassing(closing);
    await expect(ask(url, resting)).rejects.toThrow('ECONNREFUSED');
  } finally {
    busy.destroy();
    resting.destroy();
    await scene.close();
  }
});

it('[OP2.2] a connection that has never sent a request does not hold a shutdown up', async () => {
  const scene = await openScene();
  const { hostname, port } = new URL(scene.gateway.url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    const ended = once(socket.resume(), 'close');
    const begunAt = scene.clock.now();
    await scene.whilePassing(scene.gateway.close());
    expect(scene.clock.now() - begunAt).toBeLessThan(2 * second);
    await ended;
  } finally {
    socket.destroy();
    await scene.close();
  }
});
