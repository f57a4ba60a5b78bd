import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createWebSocketReceiver } from '@statelyai/inspect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import type { NewEvent } from '../../actors/event-store.ts';
import { sessionStream } from '../../actors/session-events.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../support/http-app.ts';
import { linkFact } from '../support/scripted-link.ts';
import { asMessage, inShort, look, lookOn, type Message, refused } from './looking.ts';

let gate: TestApp;
let url: string;
const start = async (options: Parameters<typeof startTestApp>[0] = {}): Promise<void> => {
  gate = await startTestApp(options);
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
};
beforeEach(() => start());
afterEach(() => gate.close());

const restart = async (options: Parameters<typeof startTestApp>[0]): Promise<void> => {
  await gate.close();
  await start(options);
};

async function cutAndRestore({ id }: SessionHeaders): Promise<void> {
  await gate.links.of(id).report(linkFact('ConnectionLost', 1));
  await gate.links.of(id).report(linkFact('ConnectionRestored', 1));
}

/** The messages of a session that was there as `state` before event `seq`, and of which those events were recorded. */
const told = (state: string, seq: number, ...events: [fact: string, state: string][]): string[] => [
  `actor ${state}`,
  ...events.flatMap(([fact, to], index) => [`${fact} ${seq + index}`, `→ ${to}`]),
];

describe('the inspector', () => {
  it("[IN2] speaks to the package's own receiver: each actor with its machine, then every event and snapshot", async () => {
    const before = await gate.session();
    const messages: Message[] = [];
    let check = (): void => {};
    createWebSocketReceiver({ server: url.replace('http', 'ws') + '/inspector' }).subscribe((event) => {
      messages.push(asMessage(event));
      check();
    });
    const until = (count: number): Promise<void> =>
      new Promise((resolve) => {
        check = () => void (messages.length >= count && resolve());
        check();
      });
    await until(1);
    await gate.connect(before);
    const after = await gate.session();
    await cutAndRestore(before);
    await gate.call('DELETE', '/session', { headers: before });
    await until(12);
    const of = ({ id }: SessionHeaders) => messages.filter(({ sessionId }) => sessionId === id);
    expect(of(before).map(inShort)).toEqual(
      told(
        'qrPending',
        2,
        ['LoggedIn', 'connected'],
        ['ConnectionLost', 'disconnected'],
        ['ConnectionRestored', 'connected'],
        ['SessionDeleted', 'deleted'],
      ),
    );
    expect(of(after).map(inShort)).toEqual(told('qrPending', 1, ['SessionCreated', 'qrPending']));
    const [actor, event, snapshot] = of(before);
    const { version } = JSON.parse(readFileSync('node_modules/@statelyai/inspect/package.json', 'utf8')) as {
      version: string;
    };
    const base = { sessionId: before.id, rootId: before.id, _version: version, createdAt: String(gate.clock.now()) };
    expect(actor).toMatchObject({ ...base, name: before.id, snapshot: { status: 'active', context: { login: 1 } } });
    const machine = createMachine(JSON.parse(actor?.definition ?? ''));
    expect(Object.keys(machine.states)).toContain(actor?.snapshot?.value);
    expect(event).toMatchObject({
      ...base,
      event: { type: 'LoggedIn', reason: 'logged-in', from: 'qrPending', login: 1 },
    });
    expect(snapshot).toMatchObject({
      ...base,
      event: event?.event,
      snapshot: { status: 'active', value: 'connected' },
    });
    expect(of(before).at(-1)?.snapshot?.status).toBe('done');
    expect(of(after)[1]?.event?.type).toBe('xstate.init');
  });

  it("[IN2] calls what the clock does as the chart does, with the log's name beside", async () => {
    const session = await gate.session();
    const { messages, until } = await lookOn(`${url}/inspector`);
    await until(() => messages.length > 0);
    await gate.clock.advance(180_000);
    await until(() => messages.length > 2);
    const { event, definition } = { ...messages[0], ...messages[1] };
    expect(event).toMatchObject({ type: 'xstate.after.180000.session.qrPending', fact: 'QrTimedOut', seq: 2 });
    expect(createMachine(JSON.parse(definition ?? '')).events).toContain(event?.type);
    expect(messages.map(({ sessionId }) => sessionId)).toEqual(Array(3).fill(session.id));
  });

  it('[IN2] shows each event once and in order, whenever one begins to look', async () => {
    const sessions = await Promise.all(Array.from({ length: 120 }, () => gate.session()));
    await Promise.all(sessions.map((session) => gate.connect(session)));
    const happening = (async () => {
      for (let round = 0; round < 5; round++) await Promise.all(sessions.map(cutAndRestore));
    })();
    const lookings = await Promise.all(
      Array.from({ length: 5 }, async (_, turn) => {
        for (let wait = 0; wait < turn * 3; wait++) await new Promise(setImmediate);
        return lookOn(`${url}/inspector`);
      }),
    );
    await happening;
    await Promise.all(sessions.map((session) => gate.call('DELETE', '/session', { headers: session })));
    for (const { messages, until, of } of lookings) {
      await until(() => messages.filter(({ snapshot }) => snapshot?.value === 'deleted').length >= sessions.length);
      for (const { id } of sessions) {
        const [first, ...rest] = of(id);
        expect(first).toMatch(/^actor /);
        const seqs = rest.filter((short) => /\d$/.test(short)).map((short) => Number(short.split(' ')[1]));
        expect(seqs).toEqual(Array.from(seqs, (_, index) => 13 - seqs.length + 1 + index));
        expect(rest).toHaveLength(2 * seqs.length);
      }
    }
  });

  it('[IN3] shows one session alone, and ends with it', async () => {
    const [session, other] = [await gate.session(), await gate.session()];
    await gate.connect(session);
    const { messages, until, of, ended } = await lookOn(`${url}/inspector?session=${session.id}`);
    await until(() => messages.length > 0);
    await gate.connect(other);
    await cutAndRestore(session);
    await gate.call('DELETE', '/session', { headers: session });
    expect(await ended).toEqual({ code: 1000, reason: 'the session is deleted' });
    expect(of(session.id)).toEqual(
      told(
        'connected',
        3,
        ['ConnectionLost', 'disconnected'],
        ['ConnectionRestored', 'connected'],
        ['SessionDeleted', 'deleted'],
      ),
    );
    expect(of(other.id)).toEqual([]);
    const again = await lookOn(`${url}/inspector?session=${session.id}`);
    await again.ended;
    expect(again.of(session.id)).toEqual(['actor deleted']);
  });

  it('[IN3] replays a session from its start, and goes on with what comes', async () => {
    const session = await gate.session();
    const createdAt = gate.clock.now();
    await gate.clock.advance(1000);
    await gate.connect(session);
    const { messages, until, of, ended } = await lookOn(`${url}/inspector?session=${session.id}&replay=1`);
    await until(() => messages.length >= 5);
    await gate.call('DELETE', '/session', { headers: session });
    await ended;
    expect(of(session.id)).toEqual(
      told('qrPending', 1, ['SessionCreated', 'qrPending'], ['LoggedIn', 'connected'], ['SessionDeleted', 'deleted']),
    );
    expect(messages.map((message) => Number(message.createdAt) - createdAt)).toEqual([0, 0, 0, 1000, 1000, 1000, 1000]);
    const later = await lookOn(`${url}/inspector?session=${session.id}&replay=1`);
    await later.ended;
    expect(later.messages).toEqual(messages);
  });

  it.each([
    ['/inspector?session=nobody', 404, 'session not found'],
    ['/inspector?replay=1', 400, 'replay needs a session'],
    ['/inspector?replay=2', 400, undefined],
    ['/elsewhere', 404, 'not found'],
  ])('[IN2] refuses %s', async (path, statusCode, message) => {
    const { status, body } = await refused(url + path);
    expect(status).toBe(statusCode);
    expect(body).toEqual({ statusCode, message: message ?? expect.stringContaining('replay') });
  });

  it('[IN2] answers what is no proper handshake, and lives', async () => {
    const answer = await improper();
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: 400 });
    await lookOn(`${url}/inspector`);
  });

  it('[OP7] is a line in the log and a count, as any request is, once it is known how it ends', async () => {
    const lines = (): { msg: string; path: string; status: number }[] =>
      gate.logLines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { msg: string; path: string; status: number })
        .filter(({ msg }) => msg === 'request');
    await lookOn(`${url}/inspector`);
    await refused(`${url}/inspector?session=nobody`);
    await improper();
    expect(lines().map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/inspector 101',
      '/inspector 404',
      '/inspector 400',
    ]);
    const { body } = await gate.app.inject('/metrics');
    expect(body).toContain('gateway_http_request_seconds_count{method="GET",route="/inspector",status="101"} 1');
  });

  it('[IN4] wants the API key where there is one, wherever a viewer can put it', async () => {
    await restart({ apiKey: 'right: ü' });
    const base64url = (key: string): string => Buffer.from(key).toString('base64url');
    const withUserInfo = (key: string): string => `${url.replace('//', `//:${encodeURIComponent(key)}@`)}/inspector`;
    const latin1 = (key: string): string => Buffer.from(key).toString('latin1');
    const ways = [
      (key: string) => look(`${url}/inspector`, ['inspector', `key.${base64url(key)}`]),
      (key: string) => look(withUserInfo(key)),
    ];
    for (const way of ways) {
      expect(await way('wrong')).toEqual({ status: 401, body: { statusCode: 401, message: 'invalid api key' } });
      expect(await way('right: ü')).toHaveProperty('socket.readyState', 1);
    }
    expect(await refused(`${url}/inspector`)).toMatchObject({ status: 401 });
    expect(await refused(`${url}/inspector?key=right`)).toMatchObject({ status: 401 });
    expect(await refused(`${url}/inspector`, [], { headers: { 'x-api-key': latin1('wrong') } })).toMatchObject({
      status: 401,
    });
    expect((await fetch(`${url}/inspector/`)).status).toBe(200);
    expect(gate.logLines.join('\n')).not.toMatch(/right|cmlnaHQ/);
  });

  it('[IN4] takes the key as a header, and then a page from anywhere', async () => {
    await restart({ apiKey: 'right' });
    const headers = { 'x-api-key': 'right' };
    const looking = look(`${url}/inspector`, [], { headers, origin: 'https://tools.example' });
    expect(await looking).toHaveProperty('socket.readyState', 1);
  });

  it('[IN4] is closed to pages from elsewhere where there is no key', async () => {
    for (const origin of ['https://evil.example', 'null', `${url}0`]) {
      expect(await refused(`${url}/inspector`, [], { origin })).toEqual({
        status: 403,
        body: { statusCode: 403, message: 'pages from elsewhere may not look on' },
      });
    }
    await lookOn(`${url}/inspector`, [], { origin: url });
  });

  it('[IN2] has room for 16 viewers', async () => {
    const lookings = await Promise.all(Array.from({ length: 16 }, () => lookOn(`${url}/inspector`)));
    expect(await refused(`${url}/inspector`)).toMatchObject({ status: 503 });
    lookings[0]?.socket.close();
    await lookings[0]?.ended;
    await gate.clock.settle();
    await lookOn(`${url}/inspector`);
  });

  it('[IN2] keeps whoever answers pings, and cuts whoever does not read', async () => {
    const session = await gate.session();
    await fill(session);
    const [reading, stuck] = [
      await lookOn(`${url}/inspector?session=${session.id}&replay=1`),
      await lookOn(`${url}/inspector?session=${session.id}&replay=1`),
    ];
    stuck.socket.pause();
    await reading.until(() => reading.messages.length > 2 * many);
    while (!gate.logLines.some((line) => line.includes('has left'))) {
      await gate.clock.advance(10_000);
      // An answer to this one comes behind the answer to the gateway's.
      const answered = once(reading.socket, 'pong');
      reading.socket.ping();
      await Promise.race([answered, reading.ended]);
      expect(reading.socket.readyState).toBe(reading.socket.OPEN);
    }
    stuck.socket.resume();
    expect((await stuck.ended).code).toBe(1006);
    expect(stuck.messages.length).toBeLessThan(2 * many);
  });

  it('[OP2] is ended when the service shuts down', async () => {
    const session = await gate.session();
    const all = await lookOn(`${url}/inspector`);
    const one = await lookOn(`${url}/inspector?session=${session.id}`);
    await Promise.all([all, one].map(({ messages, until }) => until(() => messages.length > 0)));
    const closing = gate.app.close();
    const goodbye = { code: 1001, reason: 'the service is shutting down' };
    expect(await Promise.all([all.ended, one.ended])).toEqual([goodbye, goodbye]);
    await closing;
    const left = (): string[] => gate.logLines.filter((line) => line.includes('an inspector has left'));
    while (left().length < 2) await new Promise(setImmediate);
  });

  it('[OP2] cuts whoever does not answer the goodbye', async () => {
    const looking = await lookOn(`${url}/inspector`);
    looking.socket.pause();
    // Else it would not end.
    await gate.app.close();
    looking.socket.resume();
    await looking.ended;
    while (!gate.logLines.some((line) => line.includes('an inspector has left'))) await new Promise(setImmediate);
    expect(gate.app.server.listening).toBe(false);
  });

  it('[ER1] leaves requests alone that name another upgrade, bodies and all', async () => {
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = requestHttp(`${url}/session`, {
        method: 'POST',
        headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'content-type': 'application/json' },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      request.end(JSON.stringify({ name: 'x'.repeat(100_000), webhook: { url: 'http://a.test', token: '' } }));
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('both filled');
  });

  it('[IN5] has a page that needs nothing from elsewhere to be shown', async () => {
    const moved = await fetch(`${url}/inspector?session=a`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'inspector/?session=a']);
    const page = await fetch(`${url}/inspector/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file]) => file);
    expect(files).toEqual(['inspector.css', 'inspector.js']);
    for (const file of files) expect((await fetch(`${url}/inspector/${file}`)).status).toBe(200);
  });
});

/** The answer to a wish for a WebSocket that lacks what makes it one. */
function improper(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.write('GET /inspector HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  });
}

/** Events in the log made up below: more than a connection holds. */
const many = 20_000;

/** Adds that many events to a session's log. */
async function fill({ id }: SessionHeaders): Promise<void> {
  const stream = sessionStream(id);
  const last = await gate.store.last(stream);
  if (last === undefined) throw new Error('no session');
  const events = Array.from(
    { length: many },
    (_, index): NewEvent => ({
      id: `event-${index}`,
      type: 'WebhookSet',
      data: { webhook: null },
      metadata: { ...(last.metadata as object), effects: [] },
    }),
  );
  await gate.store.append(stream, last.revision, events);
}
