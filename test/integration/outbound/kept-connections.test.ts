import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PostWorld, startTcpServer } from '../../support/outbound/post-world.ts';

let world: PostWorld;
beforeEach(async () => {
  world = await new PostWorld().start();
});
afterEach(() => world.close());

it('[WH1.1] posts side by side over as many connections, and goes on with them', async () => {
  const waiting: ServerResponse[] = [];
  world.answer = (response) => {
    waiting.push(response);
    if (waiting.length === 3) for (const each of waiting.splice(0)) each.end();
  };
  for (let round = 0; round < 4; round += 1) await Promise.all([world.post(), world.post(), world.post()]);
  expect(world.received).toHaveLength(12);
  expect(world.server.connections).toBe(3);
});

it('[WH1.1] a connection that the receiver has closed is replaced by another', async () => {
  world.answer = (response) => {
    response.writeHead(200, { connection: 'close' }).end();
  };
  for (let count = 1; count <= 3; count += 1) {
    await expect(world.post()).resolves.toMatchObject({ status: 200 });
    expect(world.server.connections).toBe(count);
  }
});

it('[WH1.1] keeps a connection for 4 s, or 1 s less than the endpoint says, up to 30 s', async () => {
  const keeps = async (keepAlive: string, ms: number): Promise<void> => {
    world.answer = (response) => {
      response
        .writeHead(200, { connection: 'keep-alive', ...(keepAlive === '' ? {} : { 'keep-alive': keepAlive }) })
        .end();
    };
    await world.post();
    const socket = world.server.sockets.at(-1);
    const count = world.server.connections;
    await world.idle();
    vi.advanceTimersByTime(ms - 1);
    await world.post();
    expect(world.server.connections).toBe(count);
    await world.idle();
    vi.advanceTimersByTime(ms);
    await world.until(() => socket?.destroyed === true);
    await world.post();
    expect(world.server.connections).toBe(count + 1);
    await world.idle();
    vi.advanceTimersByTime(30_000);
    await world.until(() => world.server.sockets.at(-1)?.destroyed === true);
  };
  // undici times idle connections itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await keeps('', 4_000);
    await keeps('timeout=20', 19_000);
    await keeps('timeout=600', 30_000);
  } finally {
    vi.useRealTimers();
  }
});

it('[WH1.1] keeps a connection whose response has a body of unknown length, once that has come', async () => {
  let finish = (): void => {};
  world.answer = (response) => {
    response.writeHead(200).write('one');
    finish = () => void response.end('two');
  };
  await expect(world.post()).resolves.toMatchObject({ status: 200 });
  await expect(world.post()).resolves.toMatchObject({ status: 200 });
  expect(world.server.connections).toBe(2);
  finish();
  await world.until(() => world.clock.armed() === 1);
  await expect(world.post()).resolves.toMatchObject({ status: 200 });
  expect(world.server.connections).toBe(2);
});

it('[WH1.1] uses no connection again over which the receiver has said more than its answer', async () => {
  world.answer = ({ socket }) => void socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  await expect(world.post()).resolves.toMatchObject({ status: 200 });
  const ended = new Promise((resolve) => world.server.sockets[0]?.once('close', resolve));
  world.server.sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  await ended;
  world.answer = ({ socket }) =>
    void socket?.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n');
  await expect(world.post()).resolves.toMatchObject({ status: 500 });
  world.answer = ({ socket }) => void socket?.end('HTTP/1.1 404 No\r\n\r\n');
  await expect(world.post()).resolves.toMatchObject({ status: 404 });
  expect(world.server.connections).toBe(3);
});

it('[WH4.2] a receiver that closes behind each answer, without a word, loses nothing', async () => {
  const closing = await startTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  for (let count = 0; count < 40; count += 1) {
    const options = { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 };
    await expect(world.outbound.post(closing.url, options)).resolves.toMatchObject({ status: 200 });
    if (count % 2 === 0) await world.clock.settle();
  }
  closing.close();
});

it('[WH4.2] is asked again at once where a connection that has rested is lost, and only then', async () => {
  world.answer = (response) => void response.end();
  await world.post();
  world.answer = (response) => void response.destroy();
  await expect(world.post()).rejects.toThrow(/^the connection was lost$/);
  expect(world.received).toHaveLength(3);
  await expect(world.post()).rejects.toThrow(/^the connection was lost$/);
  expect(world.received).toHaveLength(4);
  world.answer = (response) => void response.end();
  await world.post();
  world.answer = ({ socket }) => void socket?.end('HTTP/1.1 200 OK\r\n');
  await expect(world.post()).rejects.toThrow(/^the connection was lost$/);
  expect(world.received).toHaveLength(6);
});
