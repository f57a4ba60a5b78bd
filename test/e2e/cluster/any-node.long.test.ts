import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ConnectedCaller,
  type GatewaysScene,
  joinTwo,
  openGatewaysScene,
} from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

const ann = '1001';

/** Requests at any of two gateways: what a caller sees is as with one. */

interface Pair {
  scene: GatewaysScene;
  caller: ConnectedCaller;
  /** The gateway that does not have the caller's session. */
  other: TestGateway;
  owner: TestGateway;
}

async function openPair(): Promise<Pair> {
  const scene = await openGatewaysScene();
  const [owner, other] = await joinTwo(scene);
  const caller = await scene.connected(owner);
  return { scene, caller, owner, other };
}

describe('a gateway that does not have the session', () => {
  it('[CL5.1] sends, uploads, and shows media and events', async () => {
    const { scene, caller, other, owner } = await openPair();
    const { headers } = caller;
    const call = (method: string, path: string, body?: unknown, more: object = {}) =>
      scene.during(
        other.http.request(method, path, { headers: { ...headers, ...more }, ...(body !== undefined && { body }) }),
      );

    const text = { username: 'bob', type: 'text', text: 'Hello' };
    const first = await call('POST', '/message', text, { 'idempotency-key': 'one' });
    expect(first).toMatchObject({ status: 200 });
    const again = await scene.during(
      owner.http.request('POST', '/message', { headers: { ...headers, 'idempotency-key': 'one' }, body: text }),
    );
    expect(again.body).toEqual(first.body);

    // A stream of events and a WebSocket through the wrong node.
    const stream = await scene.during(
      fetch(`${other.url}/session/messages/stream?reader=stream`, { headers: { ...headers } }),
    );
    expect(stream.status).toBe(200);
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    onTestFinished(() => reader.cancel());
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/session/messages?reader=socket`, {
      headers: { ...headers },
    });
    onTestFinished(() => socket.terminate());
    await scene.during(once(socket, 'open'));
    const received = once(socket, 'message');
    await scene.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: caller.userId, text: 'Hi Eve' });
    const [envelope] = (await scene.during(received)) as [Buffer];
    expect(JSON.parse(String(envelope))).toMatchObject({ type: 'message', data: { text: 'Hi Eve' } });
    let streamed = '';
    while (!streamed.includes('Hi Eve')) {
      const { value } = await scene.during(reader.read());
      streamed += new TextDecoder().decode(value);
    }
    expect(streamed).toContain('event: message');

    // A file up, and its bytes down again, in a range.
    const bytes = Buffer.alloc(700_000, 'abcdefg');
    const kept = await scene.during(
      fetch(`${other.url}/file?name=letters.bin`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: bytes,
      }),
    );
    const { id } = (await kept.json()) as { id: string };
    const document = { file: id, name: 'letters.bin', size: bytes.length, mimetype: 'application/octet-stream' };
    expect((await call('POST', '/message', { username: 'bob', type: 'document', document })).status).toBe(200);

    const withFile = once(socket, 'message');
    const media = { kind: 'document', size: 900_000 };
    await scene.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: caller.userId, media });
    const [told] = (await scene.during(withFile)) as [Buffer];
    const links = [...String(told).matchAll(/"(http[^"]*\/media\/[^"]*)"/g)].map(([, url]) => String(url));
    // The first ones are pictures of people.
    const link = links.at(-1) ?? '';
    const view = async (url: string, range: string): Promise<Buffer> => {
      const response = await fetch(`${url}${new URL(link).pathname}`, { headers: { range } });
      expect(response.status).toBe(206);
      return Buffer.from(await response.arrayBuffer());
    };
    const [there, here] = [
      await scene.during(view(other.url, 'bytes=100000-799999')),
      await scene.during(view(owner.url, 'bytes=100000-799999')),
    ];
    expect(there.length).toBe(700_000);
    expect(there.equals(here)).toBe(true);
    expect(await scene.doublyUsedKeys()).toBe(0);
  });

  it('[CL5.6] shows what was written through the other one', async () => {
    const { scene, caller, other, owner } = await openPair();
    const { headers } = caller;
    const at = (gateway: TestGateway, method: string, path: string, body?: unknown) =>
      scene.during(
        gateway.http.request(method, path, { headers: { ...headers }, ...(body !== undefined && { body }) }),
      );
    await at(other, 'PATCH', '/session', { label: 'desk' });
    expect((await at(owner, 'GET', `/sessions/${caller.id}`)).body).toMatchObject({ label: 'desk' });
    expect((await at(other, 'GET', `/sessions/${caller.id}`)).body).toMatchObject({ label: 'desk' });
    const { body } = await at(other, 'GET', '/nodes');
    expect((body['docs'] as { self: boolean }[]).map(({ self }) => self).filter(Boolean)).toEqual([true]);
    await at(other, 'DELETE', '/session');
    expect((await at(owner, 'GET', '/session')).status).toBe(404);
    expect((await at(other, 'GET', '/session')).status).toBe(404);
  });

  it('[CL5.3] answers a request at the moment of a takeover', async () => {
    const { scene, caller, other, owner } = await openPair();
    const path = '/session/pace';
    const answers: Promise<number>[] = [];
    const leaving = owner.close();
    for (let count = 0; count < 20; count += 1) {
      answers.push(other.http.request('GET', path, { headers: caller.headers }).then(({ status }) => status));
      await scene.pass(50);
    }
    await scene.during(leaving);
    const statuses = await scene.during(Promise.all(answers));
    expect([...new Set(statuses)]).toEqual([200]);
  });

  it('[CL5.8] takes a session string that no session of any gateway has', async () => {
    const { scene, caller, other, owner } = await openPair();
    const at = (gateway: TestGateway, path: string, body: unknown, headers = {}) =>
      scene.during(gateway.http.request('POST', path, { headers, body }));
    const { body: exported } = await at(other, '/session/string', { format: 'gramjs' }, caller.headers);
    const login = { string: exported['string'] };
    expect(await at(other, '/session', { login })).toMatchObject({ status: 200, body: { isConnected: true } });
    expect(await at(owner, '/session', { login })).toMatchObject({
      status: 400,
      body: { message: 'string is used by another session' },
    });
    expect(await scene.doublyUsedKeys()).toBe(0);
  });
});
