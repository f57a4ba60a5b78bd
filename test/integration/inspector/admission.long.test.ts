import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../actors/ports/event-store.ts';
import { sessionStream } from '../../../actors/session/events.ts';
import type { SessionHeaders } from '../../support/gateway/http-app.ts';
import { look, lookOn, refused } from '../../support/inspector/inspector-messages.ts';
import { useListeningApp } from '../../support/inspector/listening-app.ts';

/** Who is let in as a viewer, and how viewers are let go. */

const on = useListeningApp();

describe('who looks on', () => {
  it.each([
    ['/inspector?session=nobody', 404, 'session not found'],
    ['/inspector?replay=1', 400, 'replay needs a session'],
    ['/inspector?replay=2', 400, undefined],
    ['/elsewhere', 404, 'not found'],
  ])('[IN2.1] refuses %s', async (path, statusCode, message) => {
    const { status, body } = await refused(on.url + path);
    expect(status).toBe(statusCode);
    expect(body).toEqual({ statusCode, message: message ?? expect.stringContaining('replay') });
  });

  it('[IN2.1] answers what is no proper handshake, and lives', async () => {
    const answer = await improper();
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: 400 });
    await lookOn(`${on.url}/inspector`);
  });

  it('[OP7.1] is a line in the log and a count, as any request is, once it is known how it ends', async () => {
    const lines = (): { msg: string; path: string; status: number }[] =>
      on.gate.logLines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { msg: string; path: string; status: number })
        .filter(({ msg }) => msg === 'request');
    await lookOn(`${on.url}/inspector`);
    await refused(`${on.url}/inspector?session=nobody`);
    await improper();
    expect(lines().map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/inspector 101',
      '/inspector 404',
      '/inspector 400',
    ]);
    const { body } = await on.gate.app.inject('/metrics');
    expect(body).toContain('gateway_http_request_seconds_count{method="GET",route="/inspector",status="101"} 1');
  });

  it('[IN4.1] wants the API key where there is one, wherever a viewer can put it', async () => {
    await on.restart({ apiKey: 'right: ü' });
    const base64url = (key: string): string => Buffer.from(key).toString('base64url');
    const withUserInfo = (key: string): string => `${on.url.replace('//', `//:${encodeURIComponent(key)}@`)}/inspector`;
    const latin1 = (key: string): string => Buffer.from(key).toString('latin1');
    const ways = [
      (key: string) => look(`${on.url}/inspector`, ['inspector', `key.${base64url(key)}`]),
      (key: string) => look(withUserInfo(key)),
    ];
    for (const way of ways) {
      expect(await way('wrong')).toEqual({ status: 401, body: { statusCode: 401, message: 'invalid api key' } });
      expect(await way('right: ü')).toHaveProperty('socket.readyState', 1);
    }
    expect(await refused(`${on.url}/inspector`)).toMatchObject({ status: 401 });
    expect(await refused(`${on.url}/inspector?key=right`)).toMatchObject({ status: 401 });
    expect(await refused(`${on.url}/inspector`, [], { headers: { 'x-api-key': latin1('wrong') } })).toMatchObject({
      status: 401,
    });
    expect((await fetch(`${on.url}/inspector/`)).status).toBe(200);
    expect(on.gate.logLines.join('\n')).not.toMatch(/right|cmlnaHQ/);
  });

  it('[IN4.1] takes the key as a header, and then a page from anywhere', async () => {
    await on.restart({ apiKey: 'right' });
    const headers = { 'x-api-key': 'right' };
    const looking = look(`${on.url}/inspector`, [], { headers, origin: 'https://tools.example' });
    expect(await looking).toHaveProperty('socket.readyState', 1);
  });

  it('[IN4.2] is closed to pages from elsewhere where there is no key', async () => {
    for (const origin of ['https://evil.example', 'null', `${on.url}0`]) {
      expect(await refused(`${on.url}/inspector`, [], { origin })).toEqual({
        status: 403,
        body: { statusCode: 403, message: 'pages from elsewhere may not look on' },
      });
    }
    await lookOn(`${on.url}/inspector`, [], { origin: on.url });
  });

  it('[IN2.3] has room for 16 viewers', async () => {
    const lookings = await Promise.all(Array.from({ length: 16 }, () => lookOn(`${on.url}/inspector`)));
    expect(await refused(`${on.url}/inspector`)).toMatchObject({ status: 503 });
    lookings[0]?.socket.close();
    await lookings[0]?.ended;
    await on.gate.clock.settle();
    await lookOn(`${on.url}/inspector`);
  });

  it('[IN2.3] keeps whoever answers pings, and cuts whoever does not read', async () => {
    const session = await on.gate.session();
    await fill(session);
    const [reading, stuck] = [
      await lookOn(`${on.url}/inspector?session=${session.id}&replay=1`),
      await lookOn(`${on.url}/inspector?session=${session.id}&replay=1`),
    ];
    stuck.socket.pause();
    await reading.until(() => reading.messages.length > 2 * many);
    while (!on.gate.logLines.some((line) => line.includes('has left'))) {
      await on.gate.clock.advance(10_000);
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

  it('[OP2.2] is ended when the service shuts down', async () => {
    const session = await on.gate.session();
    const all = await lookOn(`${on.url}/inspector`);
    const one = await lookOn(`${on.url}/inspector?session=${session.id}`);
    await Promise.all([all, one].map(({ messages, until }) => until(() => messages.length > 0)));
    const closing = on.gate.app.close();
    const goodbye = { code: 1001, reason: 'the service is shutting down' };
    expect(await Promise.all([all.ended, one.ended])).toEqual([goodbye, goodbye]);
    await closing;
    const left = (): string[] => on.gate.logLines.filter((line) => line.includes('an inspector has left'));
    while (left().length < 2) await new Promise(setImmediate);
  });

  it('[OP2.2] cuts whoever does not answer the goodbye', async () => {
    const looking = await lookOn(`${on.url}/inspector`);
    looking.socket.pause();
    // Else it would not end.
    await on.gate.app.close();
    looking.socket.resume();
    await looking.ended;
    while (!on.gate.logLines.some((line) => line.includes('an inspector has left'))) await new Promise(setImmediate);
    expect(on.gate.app.server.listening).toBe(false);
  });

  it('[ER1.1] leaves requests alone that name another upgrade, bodies and all', async () => {
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = requestHttp(`${on.url}/session`, {
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
});

/** The answer to a wish for a WebSocket that lacks what makes it one. */
function improper(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
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
  const last = await on.gate.store.last(stream);
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
  await on.gate.store.append(stream, last.revision, events);
}
