import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const json = { 'content-type': 'application/json' };

describe('errors', () => {
  it.each(['/', '/nowhere', '/session/nowhere', '/health', '/session/webhook/deep'])(
    '[ER1.1] 404 for the unknown path %s',
    async (path) => {
      expect(await gate.call('GET', path)).toMatchObject({
        status: 404,
        body: { statusCode: 404, message: 'not found' },
      });
    },
  );

  it.each([
    ['PUT', '/session', 'DELETE, GET, PATCH, POST'],
    ['DELETE', '/session/webhook', 'GET, POST, PUT'],
    ['GET', '/message', 'DELETE, PATCH, POST'],
    ['POST', '/health/live?x=1', 'GET, HEAD'],
  ] as const)('[ER1.1] 405 for %s %s', async (method, path, allow) => {
    const answer = await gate.call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.body).toEqual({ statusCode: 405, message: 'method not allowed' });
    expect(answer.headers['allow']).toBe(allow);
  });

  it.each(['{', '{"name":}', 'name', '{"__proto__":{"a":1}}', '{"name":"a"'])(
    '[ER1.1] 400 for the malformed JSON %s',
    async (body) => {
      const answer = await gate.call('POST', '/session', { body });
      expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message: 'body must be valid JSON' }]);
    },
  );

  it('[ER1.1] 413 for a body over the limit', async () => {
    const answer = await gate.call('POST', '/session', { body: { name: 'x'.repeat(300_000) } });
    expect([answer.status, answer.body]).toEqual([413, { statusCode: 413, message: 'request body is too large' }]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    '[ER1.1] 415 for %s',
    async (type) => {
      const answer = await gate.call('POST', '/session', { body: 'a=b', headers: { 'content-type': type } });
      const message = 'content type must be application/json';
      expect([answer.status, answer.body]).toEqual([415, { statusCode: 415, message }]);
    },
  );

  it('[ER1.1] 400 for a url that cannot be decoded', async () => {
    const answer = await gate.call('GET', '/session/%zz');
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message: 'invalid url' }]);
  });

  it('[ER1.1] takes an empty body under application/json for none', async () => {
    expect((await gate.call('POST', '/session', { body: '', headers: json })).status).toBe(200);
    expect((await gate.call('POST', '/session')).status).toBe(200);
    const headers = await gate.session();
    expect((await gate.call('DELETE', '/session', { headers: { ...headers, ...json } })).status).toBe(200);
  });

  it('[OP2.2] 503 for every new request while shutting down', async () => {
    const headers = await gate.session();
    gate.status.isClosing = true;
    for (const [method, path] of [
      ['GET', '/session'],
      ['POST', '/session'],
      ['GET', '/nowhere'],
      ['GET', '/health/live'],
    ] as const) {
      const answer = await gate.call(method, path, { headers });
      expect([answer.status, answer.body]).toEqual([503, { statusCode: 503, message: 'service is shutting down' }]);
      expect(answer.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
    }
  });

  it('[ER4.1] 500 for a fault of our own: the cause is logged with the id of the request, and not told', async () => {
    const marker = 'm4rker';
    const headers = await gate.session();
    gate.sessions.delete = () => Promise.reject(new TypeError(marker));
    const answer = await gate.call('DELETE', '/session', { headers });
    expect([answer.status, answer.body]).toEqual([500, { statusCode: 500, message: 'internal server error' }]);
    const line = JSON.parse(gate.logLines.find((text) => text.includes(marker)) ?? '{}');
    expect(line).toMatchObject({ level: 50, err: { message: marker }, reqId: answer.headers['x-request-id'] });
  });

  it('[ER1.1] 503 with Retry-After while the store is away', async () => {
    gate.sessions.create = () => Promise.reject(new StoreUnavailableError('disk m4rker full'));
    const answer = await gate.call('POST', '/session');
    expect([answer.status, answer.body]).toEqual([
      503,
      { statusCode: 503, message: 'the event store is not available' },
    ]);
    expect(answer.headers['retry-after']).toBe('2');
  });
});

describe('every response', () => {
  it('[ER1.2] has the code of its error beside the message', async () => {
    const headers = await gate.session();
    const code = async (...call: Parameters<TestApp['call']>) => (await gate.call(...call)).headers['x-error-code'];
    expect(await code('GET', '/session', { headers })).toBeUndefined();
    expect(await code('GET', '/session')).toBe('invalid_header');
    expect(await code('GET', '/session', { headers: { ...headers, 'session-id': 'wrong' } })).toBe('session_not_found');
    expect(await code('POST', '/message', { headers, body: { type: 'letter' } })).toBe('invalid_request');
    expect(await code('POST', '/typing', { headers, body: { user: '1002' } })).toBe('session_not_connected');
    expect(await code('GET', '/nowhere')).toBe('not_found');
    expect(await code('GET', '/session/%zz')).toBe('invalid_request');
    expect(await code('PUT', '/session')).toBe('method_not_allowed');
  });

  it.each([
    ['GET', '/health/live'],
    ['GET', '/nowhere'],
    ['GET', '/session'],
    ['GET', '/docs/json'],
    ['GET', '/sessions'],
  ] as const)('[ER1.3] %s %s ends with a line feed, and its length counts it', async (method, url) => {
    const { body, headers } = await gate.app.inject({ method, url, headers: await gate.session() });
    expect(body).toMatch(/[}\]]\n$/);
    expect(JSON.stringify(JSON.parse(body))).toBe(body.trimEnd());
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  it.each(['/health/live', '/nowhere', '/session', '/session/%zz', '/docs/', '/metrics'])(
    '[ER1.4] of %s has the name of its request, a new one each time',
    async (url) => {
      const ids = [];
      for (let time = 0; time < 2; time += 1) ids.push((await gate.app.inject(url)).headers['x-request-id']);
      expect(ids[0]).toMatch(/^[0-9a-f]{8}-/);
      expect(ids[1]).not.toBe(ids[0]);
    },
  );
});

describe('views that do not follow', () => {
  it('[ER1.1] 503 with Retry-After for what is recorded but cannot be read yet, after 10 s', async () => {
    Object.defineProperty(gate.views, 'position', { value: -1n });
    gate.views.waitFor = (_position, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const creating = gate.call('POST', '/session');
    await gate.clock.advance(10_000);
    const { status, body, headers } = await creating;
    expect([status, body]).toEqual([503, { statusCode: 503, message: 'recorded, but not yet readable' }]);
    expect(headers['retry-after']).toBe('1');
  });
});

describe('overload', () => {
  it('[ER1.1] 503 with Retry-After, but for the health checks and GET /session', async () => {
    const busy = await startTestApp({ maxLagMs: 1 });
    const block = new Int32Array(new SharedArrayBuffer(4));
    try {
      let answer = await busy.call('POST', '/session');
      const { id, sessionId } = answer.body as { id: string; sessionId: string };
      const headers = { id, 'session-id': sessionId };
      while (answer.status === 200) {
        Atomics.wait(block, 0, 0, 50);
        await busy.clock.advance(1_000);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        answer = await busy.call('POST', '/session');
      }
      expect([answer.status, answer.body]).toEqual([503, { statusCode: 503, message: 'service overloaded' }]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect((await busy.call('GET', '/health/live')).status).toBe(200);
      expect((await busy.call('GET', '/session', { headers })).status).toBe(200);
    } finally {
      await busy.close();
    }
  });
});

describe('what is no readable request', () => {
  /** @returns the app's port */
  async function listen(): Promise<number> {
    await gate.app.listen({ port: 0, host: '127.0.0.1' });
    const address = gate.app.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Sends bytes on a bare connection, gives back all that comes until it is closed. */
  async function exchange(bytes: string): Promise<{ head: string; body: unknown }> {
    const port = await listen();
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('end', () => resolve(received));
      socket.on('error', reject);
    });
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return { head, body: JSON.parse(body) };
  }

  it('[ER1.1] 400 for what is not HTTP', async () => {
    const { head, body } = await exchange('hello there\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(head).toContain('content-type: application/json');
    expect(body).toEqual({ statusCode: 400, message: 'invalid http request' });
  });

  it('[ER1.1] 408 for a request that has not arrived in time', async () => {
    const { server } = gate.app;
    expect(server.requestTimeout).toBe(30_000);
    // How often Node compares with it.
    expect(Object(server).connectionsCheckingInterval).toBe(5_000);
    // What Node says then, which looks at most twice a minute.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.once('connection', (socket) => void socket.once('data', () => server.emit('clientError', late, socket)));
    const { head, body } = await exchange('GET /session HTTP/1.1\r\nhost: x\r\n');
    expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(body).toEqual({ statusCode: 408, message: 'request timeout' });
  });

  it('[ER1.6] answers a body that is announced as too large at once, and reads it to its end', async () => {
    const size = 40 * 1024 * 1024;
    const socket = connect(await listen(), '127.0.0.1');
    const head = `host: x\r\ncontent-type: application/json\r\ncontent-length`;
    socket.write(`POST /session HTTP/1.1\r\n${head}: ${size}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
    socket.write(Buffer.alloc(size, 'x'));
    socket.write(`POST /session HTTP/1.1\r\n${head}: 2\r\n\r\n{}`);
    const [second] = (await once(socket, 'data')) as [Buffer];
    expect(second.toString()).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('[ER1.6] closes a connection whose body is dropped for too long, with no second response', async () => {
    const { server } = gate.app;
    const arrived = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(await listen(), '127.0.0.1');
    const head = 'POST /session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json';
    socket.write(`${head}\r\ncontent-length: 1000000\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
    let more = '';
    socket.on('data', (chunk: Buffer) => (more += chunk.toString()));
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, (await arrived)[0]);
    await once(socket, 'close');
    expect(more).toBe('');
  });

  it('[ER1.6] closes the connection of a body that is announced with more than 64 MB', async () => {
    const head = 'POST /session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json';
    const answer = await exchange(`${head}\r\ncontent-length: ${64 * 1024 * 1024 + 1}\r\n\r\n`);
    expect(answer.head).toMatch(/^HTTP\/1.1 413 /);
  });

  it('[ER1.1] 431 for headers that are too large', async () => {
    const { head, body } = await exchange(`GET /session HTTP/1.1\r\nhost: x\r\nid: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1.1 431 /);
    expect(body).toEqual({ statusCode: 431, message: 'request headers are too large' });
  });

  it('[ER1.1] 400 for a request without a host', async () => {
    const { body } = await exchange('GET /session HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(body).toEqual({ statusCode: 400, message: 'host header is missing' });
  });

  it('[ER1.1] 417 for an expectation that nobody can meet', async () => {
    const { head, body } = await exchange('GET /session HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 417 /);
    expect(body).toEqual({ statusCode: 417, message: 'expectation failed' });
  });
});
