import { afterEach, beforeEach, expect, it } from 'vitest';
import { PostWorld, startTcpServer } from '../../support/outbound/post-world.ts';

let world: PostWorld;
beforeEach(async () => {
  world = await new PostWorld().start();
});
afterEach(() => world.close());

it('[WH4.2] an answer that is not HTTP is told apart from none', async () => {
  world.answer = ({ socket }) => void socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n');
  await expect(world.post()).rejects.toThrow(/^it did not answer in proper HTTP$/);
  world.answer = ({ socket }) => void socket?.end('HTTP/1.1 200 OK\r\n');
  await expect(world.post()).rejects.toThrow(/^the connection was lost$/);
});

it('[WH4.2] a response to a part of the body counts, and its connection is not used again', async () => {
  let connections = 0;
  const early = await startTcpServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.pause().write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
    });
  });
  for (let count = 1; count <= 2; count += 1) {
    const options = { sessionId: 'one', body: 'x'.repeat(20_000_000), headers: {}, timeoutMs: 10_000 };
    await expect(world.outbound.post(early.url, options)).resolves.toMatchObject({ status: 413 });
    expect(connections).toBe(count);
    await world.until(() => world.clock.armed() === 0);
  }
  early.close();
});

it.each([
  ['102 Processing', 10, /^status 200$/],
  ['103 Early Hints', 11, /^it did not answer in proper HTTP$/],
  ['100 Continue', 1, /^it did not answer in proper HTTP$/],
  ['101 Switching Protocols', 1, /^it did not answer in proper HTTP$/],
])('[WH4.2] a response after %s, %i times, is: %s', async (interim, times, outcome) => {
  const head = `HTTP/1.1 ${interim}\r\n${interim.startsWith('101') ? 'connection: upgrade\r\nupgrade: x\r\n' : ''}\r\n`;
  const interimServer = await startTcpServer((socket) => {
    socket.on('data', () => socket.write(`${head.repeat(times)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`));
  });
  expect(await world.outcomeAt(interimServer.url)).toMatch(outcome);
  interimServer.close();
});

it('[WH4.2] heads of 1xx that never end are given up, and nothing is left of them', async () => {
  let written = 0;
  const endless = await startTcpServer((socket) => {
    const more = (): void => {
      written += 1;
      if (!socket.destroyed) socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => setImmediate(more));
    };
    socket.once('data', more);
  });
  expect(await world.outcomeAt(endless.url)).toBe('it did not answer in proper HTTP');
  const after = written;
  await world.clock.settle();
  await world.clock.settle();
  expect(written).toBeLessThan(after + 100);
  endless.close();
});

it.each([
  ['a head of 15 KB', `x: ${'y'.repeat(15 * 1024)}\r\n`, 'status 200'],
  ['a head of 17 KB', `x: ${'y'.repeat(17 * 1024)}\r\n`, 'it did not answer in proper HTTP'],
  ['many short fields', 'x: y\r\n'.repeat(10_000), 'it did not answer in proper HTTP'],
  ['two lengths', 'content-length: 0\r\n', 'it did not answer in proper HTTP'],
  ['a length and chunks', 'transfer-encoding: chunked\r\n', 'it did not answer in proper HTTP'],
  ['a field without a colon', 'nothing\r\n', 'it did not answer in proper HTTP'],
])('[WH4.2] a response with %s', async (_name, fields, outcome) => {
  const odd = await startTcpServer((socket) => {
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\n${fields}\r\n`));
  });
  expect(await world.outcomeAt(odd.url)).toBe(outcome);
  odd.close();
});

it('[WH4.2] a head that never ends is given up after the time for it', async () => {
  let hasBegun = false;
  const slow = await startTcpServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 ');
      hasBegun = true;
    });
  });
  const outcome = world.outcomeAt(slow.url);
  await world.until(() => hasBegun);
  await world.clock.advance(10_000);
  expect(await outcome).toBe('it took too long');
  slow.close();
});
