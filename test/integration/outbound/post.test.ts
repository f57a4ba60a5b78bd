import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

let clock: DrivenClock;
let server: WebServer;
let outbound: Outbound;
let received: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
let answer: (response: ServerResponse) => void;
let asked: Promise<ServerResponse>;

beforeEach(async () => {
  clock = createDrivenClock();
  received = [];
  let ask = (_response: ServerResponse): void => {};
  asked = new Promise((resolve) => {
    ask = resolve;
  });
  server = await startWebServer((request, response) => {
    void text(request).then((body) => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(response);
      ask(response);
    });
  });
  outbound = createOutbound({ clock, allowPrivate: true });
});

afterEach(async () => {
  await outbound.close();
  await server.close();
  if (clock.armed() > 0) throw new Error('something still waits');
});

function post(signal?: LightAbort): Promise<unknown> {
  const outcome = outbound.post(`${server.url}/hook`, {
    sessionId: 'one',
    body: '{"a":"ü"}',
    headers: { 'content-type': 'application/json', 'x-token': 't' },
    timeoutMs: 10_000,
    ...(signal === undefined ? {} : { signal }),
  });
  outcome.catch(() => {});
  return outcome;
}

/** Raw TCP, for what an HTTP server would not send. */
async function startTcpServer(onConnection: (socket: Socket) => void): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const tcp = createTcpServer((socket) => {
    sockets.add(socket);
    onConnection(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => void tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      tcp.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The status, or the words of the error. */
async function outcomeAt(url: string): Promise<string> {
  try {
    const { status } = await outbound.post(url, { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 });
    return `status ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The response has come to its end, and the connection is at rest. */
async function idle(): Promise<void> {
  await until(() => clock.armed() === 0);
  await clock.settle();
}

/** Without timers: a test may have replaced them. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await clock.settle();
}

it('[WH1.1] posts the body with its headers and tells the status, over connections that are kept', async () => {
  answer = (response) => {
    response.writeHead(202).end('fine');
  };
  for (let count = 0; count < 5; count += 1) {
    await expect(post()).resolves.toEqual({ status: 202, retryAfter: undefined });
  }
  expect(received).toHaveLength(5);
  expect(received[0]).toMatchObject({
    method: 'POST',
    body: '{"a":"ü"}',
    headers: { 'content-type': 'application/json', 'x-token': 't', 'content-length': '10' },
  });
  expect(server.connections).toBe(1);
});

it('[WH1.1] posts side by side over as many connections, and goes on with them', async () => {
  const waiting: ServerResponse[] = [];
  answer = (response) => {
    waiting.push(response);
    if (waiting.length === 3) for (const each of waiting.splice(0)) each.end();
  };
  for (let round = 0; round < 4; round += 1) await Promise.all([post(), post(), post()]);
  expect(received).toHaveLength(12);
  expect(server.connections).toBe(3);
});

it('[WH1.1] a connection that the receiver has closed is replaced by another', async () => {
  answer = (response) => {
    response.writeHead(200, { connection: 'close' }).end();
  };
  for (let count = 1; count <= 3; count += 1) {
    await expect(post()).resolves.toMatchObject({ status: 200 });
    expect(server.connections).toBe(count);
  }
});

it('[WH1.1] keeps a connection for 4 s, or 1 s less than the endpoint says, up to 30 s', async () => {
  const keeps = async (keepAlive: string, ms: number): Promise<void> => {
    answer = (response) => {
      response
        .writeHead(200, { connection: 'keep-alive', ...(keepAlive === '' ? {} : { 'keep-alive': keepAlive }) })
        .end();
    };
    await post();
    const socket = server.sockets.at(-1);
    const count = server.connections;
    await idle();
    vi.advanceTimersByTime(ms - 1);
    await post();
    expect(server.connections).toBe(count);
    await idle();
    vi.advanceTimersByTime(ms);
    await until(() => socket?.destroyed === true);
    await post();
    expect(server.connections).toBe(count + 1);
    await idle();
    vi.advanceTimersByTime(30_000);
    await until(() => server.sockets.at(-1)?.destroyed === true);
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
  answer = (response) => {
    response.writeHead(200).write('one');
    finish = () => void response.end('two');
  };
  await expect(post()).resolves.toMatchObject({ status: 200 });
  await expect(post()).resolves.toMatchObject({ status: 200 });
  expect(server.connections).toBe(2);
  finish();
  await until(() => clock.armed() === 1);
  await expect(post()).resolves.toMatchObject({ status: 200 });
  expect(server.connections).toBe(2);
});

it('[WH1.1] uses no connection again over which the receiver has said more than its answer', async () => {
  answer = ({ socket }) => void socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  await expect(post()).resolves.toMatchObject({ status: 200 });
  const ended = new Promise((resolve) => server.sockets[0]?.once('close', resolve));
  server.sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  await ended;
  answer = ({ socket }) => void socket?.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n');
  await expect(post()).resolves.toMatchObject({ status: 500 });
  answer = ({ socket }) => void socket?.end('HTTP/1.1 404 No\r\n\r\n');
  await expect(post()).resolves.toMatchObject({ status: 404 });
  expect(server.connections).toBe(3);
});

it('[WH4.2] a receiver that closes behind each answer, without a word, loses nothing', async () => {
  const closing = await startTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  for (let count = 0; count < 40; count += 1) {
    const options = { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 };
    await expect(outbound.post(closing.url, options)).resolves.toMatchObject({ status: 200 });
    if (count % 2 === 0) await clock.settle();
  }
  closing.close();
});

it('[WH4.2] is asked again at once where a connection that has rested is lost, and only then', async () => {
  answer = (response) => void response.end();
  await post();
  answer = (response) => void response.destroy();
  await expect(post()).rejects.toThrow(/^the connection was lost$/);
  expect(received).toHaveLength(3);
  await expect(post()).rejects.toThrow(/^the connection was lost$/);
  expect(received).toHaveLength(4);
  answer = (response) => void response.end();
  await post();
  answer = ({ socket }) => void socket?.end('HTTP/1.1 200 OK\r\n');
  await expect(post()).rejects.toThrow(/^the connection was lost$/);
  expect(received).toHaveLength(6);
});

it('[WH4.2] an answer that is not HTTP is told apart from none', async () => {
  answer = ({ socket }) => void socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n');
  await expect(post()).rejects.toThrow(/^it did not answer in proper HTTP$/);
  answer = ({ socket }) => void socket?.end('HTTP/1.1 200 OK\r\n');
  await expect(post()).rejects.toThrow(/^the connection was lost$/);
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
    await expect(outbound.post(early.url, options)).resolves.toMatchObject({ status: 413 });
    expect(connections).toBe(count);
    await until(() => clock.armed() === 0);
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
  expect(await outcomeAt(interimServer.url)).toMatch(outcome);
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
  expect(await outcomeAt(endless.url)).toBe('it did not answer in proper HTTP');
  const after = written;
  await clock.settle();
  await clock.settle();
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
  expect(await outcomeAt(odd.url)).toBe(outcome);
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
  const outcome = outcomeAt(slow.url);
  await until(() => hasBegun);
  await clock.advance(10_000);
  expect(await outcome).toBe('it took too long');
  slow.close();
});

it('[WH1.1] posts as the user that the URL names, to the host that it names', async () => {
  answer = (response) => void response.end();
  const url = `http://a%20b:c%3Ad@localhost:${server.port}/a%20b/?q=1&ü#part`;
  await outbound.post(url, { sessionId: 'one', body: '', headers: {}, timeoutMs: 10_000 });
  expect(received[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('a b:c:d').toString('base64')}`,
    host: `localhost:${server.port}`,
    'content-length': '0',
  });
  expect(received[0]?.url).toBe('/a%20b/?q=1&%C3%BC');
});

it('[WH1.1] sends a header in Latin-1, and none that would be two, or another one', async () => {
  answer = (response) => void response.end();
  const send = (token: string): Promise<unknown> =>
    outbound.post(server.url, {
      sessionId: 'one',
      body: '{"a":"ü€"}',
      headers: { 'x-token': token },
      timeoutMs: 10_000,
    });
  await send('sesam \u00fc\t\u00ff');
  expect(received[0]).toMatchObject({
    body: '{"a":"ü€"}',
    headers: { 'x-token': 'sesam \u00fc\t\u00ff' },
  });
  for (const token of ['secret\r\nx: y', 'secret\n', 'secret\0', 'secret\u0100', 'secret\u007f']) {
    const failure = await send(token).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).not.toContain('secret');
  }
  expect(received).toHaveLength(1);
});

it('[WH1.1] posts nothing any more when it is closed', async () => {
  answer = (response) => void response.end();
  await post();
  await outbound.close();
  await expect(post()).rejects.toThrow('the connection was lost');
  expect(received).toHaveLength(1);
});

it('[WH4.2] tells what Retry-After says', async () => {
  answer = (response) => {
    response.writeHead(503, { 'retry-after': '120' }).end();
  };
  await expect(post()).resolves.toEqual({ status: 503, retryAfter: '120' });
});

it('[WH4.2] a receiver that does not answer in time is given up', async () => {
  answer = () => {};
  const outcome = post();
  await asked;
  await clock.advance(9_999);
  await clock.advance(1);
  await expect(outcome).rejects.toThrow(/^it took too long$/);
});

it('[WH4.2] an answer counts however long its body is, or takes', async () => {
  answer = (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024);
    const more = (): void => {
      if (response.destroyed) return;
      if (response.write(piece)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
  await expect(post()).resolves.toMatchObject({ status: 200 });
  answer = (response) => {
    response.writeHead(200).write('and then nothing');
  };
  asked = new Promise((resolve) => {
    const inner = answer;
    answer = (response) => {
      inner(response);
      resolve(response);
    };
  });
  const outcome = post();
  await asked;
  await clock.settle();
  await clock.advance(10_000);
  await expect(outcome).resolves.toMatchObject({ status: 200 });
});

it('[WH4.2] a receiver that hangs up is told apart from one that is not there', async () => {
  answer = (response) => {
    response.destroy();
  };
  await expect(post()).rejects.toThrow(/^the connection was lost$/);
  await server.close();
  await expect(post()).rejects.toThrow(/^could not connect to it$/);
});

it('[WH4.2] what is being opened or asked fails when all is closed', async () => {
  answer = () => {};
  const waiting = createOutbound({ clock, allowPrivate: true, resolve: () => new Promise(() => {}) });
  const options = { sessionId: 'one', body: '', headers: {}, timeoutMs: 10_000 };
  const opening = waiting.post('http://receiver.test/', options);
  opening.catch(() => {});
  const asking = post();
  await asked;
  await Promise.all([waiting.close(), outbound.close()]);
  await expect(opening).rejects.toThrow(/^the connection was lost$/);
  await expect(asking).rejects.toThrow(/^the connection was lost$/);
  expect(clock.armed()).toBe(0);
});

it('[WH4.2] stops with the signal, for its reason', async () => {
  answer = () => {};
  const stop = new LightAbort();
  const outcome = post(stop);
  await asked;
  stop.abort(new Error('closing'));
  await expect(outcome).rejects.toThrow(/^closing$/);
});

it('[WH4.2] stops while the connection is still being opened, and sends nothing later', async () => {
  answer = (response) => {
    response.end();
  };
  let tellAddress = (): void => {};
  const addresses = new Promise<string[]>((resolve) => {
    tellAddress = () => resolve(['127.0.0.1']);
  });
  const slow = createOutbound({ clock, allowPrivate: true, resolve: () => addresses });
  const send = (body: string, signal?: LightAbort): Promise<unknown> =>
    slow.post(`http://receiver.test:${server.port}/hook`, {
      sessionId: 'one',
      body,
      headers: {},
      timeoutMs: 10_000,
      ...(signal === undefined ? {} : { signal }),
    });
  const stop = new LightAbort();
  const stopped = send('stopped', stop);
  stop.abort(new Error('closing'));
  await expect(stopped).rejects.toThrow(/^closing$/);
  const waiting = send('waiting');
  tellAddress();
  await expect(waiting).resolves.toMatchObject({ status: 200 });
  await clock.settle();
  expect(received.map(({ body }) => body)).toEqual(['waiting']);
  await slow.close();
});
