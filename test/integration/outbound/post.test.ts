import { afterEach, beforeEach, expect, it } from 'vitest';
import { PostWorld } from '../../support/outbound/post-world.ts';

let world: PostWorld;
beforeEach(async () => {
  world = await new PostWorld().start();
});
afterEach(() => world.close());

it('[WH1.1] posts the body with its headers and tells the status, over connections that are kept', async () => {
  world.answer = (response) => {
    response.writeHead(202).end('fine');
  };
  for (let count = 0; count < 5; count += 1) {
    await expect(world.post()).resolves.toEqual({ status: 202, retryAfter: undefined });
  }
  expect(world.received).toHaveLength(5);
  expect(world.received[0]).toMatchObject({
    method: 'POST',
    body: '{"a":"ü"}',
    headers: { 'content-type': 'application/json', 'x-token': 't', 'content-length': '10' },
  });
  expect(world.server.connections).toBe(1);
});

it('[WH1.1] posts as the user that the URL names, to the host that it names', async () => {
  world.answer = (response) => void response.end();
  const url = `http://a%20b:c%3Ad@localhost:${world.server.port}/a%20b/?q=1&ü#part`;
  await world.outbound.post(url, { sessionId: 'one', body: '', headers: {}, timeoutMs: 10_000 });
  expect(world.received[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('a b:c:d').toString('base64')}`,
    host: `localhost:${world.server.port}`,
    'content-length': '0',
  });
  expect(world.received[0]?.url).toBe('/a%20b/?q=1&%C3%BC');
});

it('[WH1.1] sends a header in Latin-1, and none that would be two, or another one', async () => {
  world.answer = (response) => void response.end();
  const send = (token: string): Promise<unknown> =>
    world.outbound.post(world.server.url, {
      sessionId: 'one',
      body: '{"a":"ü€"}',
      headers: { 'x-token': token },
      timeoutMs: 10_000,
    });
  await send('sesam \u00fc\t\u00ff');
  expect(world.received[0]).toMatchObject({
    body: '{"a":"ü€"}',
    headers: { 'x-token': 'sesam \u00fc\t\u00ff' },
  });
  for (const token of ['secret\r\nx: y', 'secret\n', 'secret\0', 'secret\u0100', 'secret\u007f']) {
    const failure = await send(token).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).not.toContain('secret');
  }
  expect(world.received).toHaveLength(1);
});

it('[WH1.1] posts nothing any more when it is closed', async () => {
  world.answer = (response) => void response.end();
  await world.post();
  await world.outbound.close();
  await expect(world.post()).rejects.toThrow('the connection was lost');
  expect(world.received).toHaveLength(1);
});

it('[WH4.2] tells what Retry-After says', async () => {
  world.answer = (response) => {
    response.writeHead(503, { 'retry-after': '120' }).end();
  };
  await expect(world.post()).resolves.toEqual({ status: 503, retryAfter: '120' });
});

it('[WH4.2] an answer counts however long its body is, or takes', async () => {
  world.answer = (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024);
    const more = (): void => {
      if (response.destroyed) return;
      if (response.write(piece)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
  await expect(world.post()).resolves.toMatchObject({ status: 200 });
  world.answer = (response) => {
    response.writeHead(200).write('and then nothing');
  };
  world.asked = new Promise((resolve) => {
    const inner = world.answer;
    world.answer = (response) => {
      inner(response);
      resolve(response);
    };
  });
  const outcome = world.post();
  await world.asked;
  await world.clock.settle();
  await world.clock.advance(10_000);
  await expect(outcome).resolves.toMatchObject({ status: 200 });
});
