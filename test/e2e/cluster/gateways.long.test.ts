import { describe, expect, it, onTestFinished } from 'vitest';
import { partitionCount } from '../../../src/cluster/partitions.ts';
import {
  type ConnectedCaller,
  type GatewaysScene,
  joinTwo,
  openGatewaysScene,
} from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { startWebServer } from '../../support/kit/web-server.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

const ann = '1001';
const sessions = 6;

/** An endpoint that takes everything, and what it was told: an event that comes once more has the same ID. */
async function openEndpoint() {
  const ids = new Set<string>();
  const told: string[] = [];
  const server = await startWebServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { id, type, session } = JSON.parse(body) as { id: string; type: string; session: { id: string } };
      const [text = `${type} ${session.id}`] = /(?:before|meanwhile|after) [\w-]+/.exec(body) ?? [];
      if (!ids.has(id)) told.push(text);
      ids.add(id);
      response.end();
    });
  });
  onTestFinished(() => server.close());
  return { url: server.url, told };
}

/** Two gateways that share the partitions, and sessions with a webhook; some of each gateway. */
async function openTwo(scene: GatewaysScene) {
  const endpoint = await openEndpoint();
  const environment = { ALLOW_PRIVATE_URLS: 'true' };
  const [a, b] = await joinTwo(scene, environment);
  const callers: ConnectedCaller[] = [];
  const watcher = await openEndpoint();
  const wish = { url: watcher.url, token: 'secret', events: ['session.connected', 'session.disconnected'] };
  expect((await scene.during(b.http.request('POST', '/webhooks', { body: wish }))).status).toBe(200);
  for (let number = 0; number < sessions; number += 1) {
    const gateway = number % 2 === 0 ? a : b;
    const caller = await scene.connected(gateway);
    const body = {
      url: endpoint.url,
      token: 'secret',
      events: ['message', 'session.disconnected', 'session.connected'],
    };
    const set = await scene.during(gateway.http.request('PUT', '/session/webhook', { headers: caller.headers, body }));
    expect(set.status).toBe(200);
    callers.push(caller);
  }
  return { a, b, callers, endpoint, watcher, environment };
}

const connectedAt = (gateway: TestGateway, callers: readonly ConnectedCaller[]): number =>
  callers.filter(({ id }) => gateway.sessions.state(id) === 'connected').length;

const write = (scene: GatewaysScene, to: ConnectedCaller, text: string): Promise<unknown> =>
  scene.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: to.userId, text });

describe('gateways that share a store', () => {
  it('[CL1.7] [CL2.8] [CL3.4] take over what one that was killed had, and nothing is lost', async () => {
    const scene = await openGatewaysScene();
    const { a, b, callers, endpoint, watcher } = await openTwo(scene);
    expect(connectedAt(a, callers)).toBe(sessions / 2);
    expect(connectedAt(b, callers)).toBe(sessions / 2);
    for (const caller of callers) await write(scene, caller, `before ${caller.id}`);
    await scene.until(() => endpoint.told.length === sessions);
    await b.crash();
    for (const caller of callers) await write(scene, caller, `meanwhile ${caller.id}`);
    const ms = await scene.until(() => connectedAt(a, callers) === sessions);
    expect(ms).toBeLessThanOrEqual(18_000);
    for (const caller of callers) await write(scene, caller, `after ${caller.id}`);
    await scene.until(() => endpoint.told.filter((text) => text.startsWith('after')).length >= sessions);
    await scene.pass(10_000);
    const ofTakeover = ['session.disconnected', 'session.connected'];
    for (const [number, { id }] of callers.entries()) {
      const isTaken = number % 2 === 1;
      const wordsOf = (told: readonly string[], isOfSession: boolean): string[] =>
        told
          .filter((text) => text.endsWith(id) && text.startsWith('session.') === isOfSession)
          .map((text) => text.replace(` ${id}`, ''));
      expect(wordsOf(endpoint.told, false)).toEqual(['before', 'meanwhile', 'after']);
      expect(wordsOf(endpoint.told, true)).toEqual(isTaken ? ofTakeover : []);
      expect(wordsOf(watcher.told, true)).toEqual(['session.connected', ...(isTaken ? ofTakeover : [])]);
    }
    expect(await scene.doublyUsedKeys()).toBe(0);
  });

  it('[CL4.3] [CL3.4] take over within 1.5 seconds what one that is told to end has', async () => {
    const scene = await openGatewaysScene();
    const { a, b, callers, endpoint, environment } = await openTwo(scene);
    const closed = a.close();
    const ms = await scene.until(() => connectedAt(b, callers) === sessions);
    expect(ms).toBeLessThanOrEqual(3_000);
    await scene.during(closed);
    const c = await scene.join(environment);
    const half = partitionCount / 2;
    await scene.until(async () => {
      const [ofB = 0, ofC = 0] = await scene.owned(b, c);
      return (
        ofC > half / 2 && ofB + ofC === partitionCount && connectedAt(b, callers) + connectedAt(c, callers) === sessions
      );
    });
    for (const caller of callers) await write(scene, caller, `after ${caller.id}`);
    const after = (): string[] => endpoint.told.filter((text) => text.startsWith('after'));
    await scene.until(() => after().length >= sessions);
    await scene.pass(5_000);
    expect(after().toSorted()).toEqual(callers.map(({ id }) => `after ${id}`).toSorted());
    expect(await scene.doublyUsedKeys()).toBe(0);
  });

  it('[CL5.24] have a request wait for a session that one has just taken, for 5 seconds at most', async () => {
    const scene = await openGatewaysScene();
    const [a, b] = await joinTwo(scene);
    const { headers, id } = await scene.connected(a);
    const send = async (): Promise<unknown[]> => {
      const body = { username: 'bob', type: 'text', text: 'Hello' };
      const from = scene.clock.elapsed();
      const answer = await scene.during(b.http.request('POST', '/message', { headers, body }));
      return [answer.status, answer.body['message'], scene.clock.elapsed() - from <= 6_000];
    };
    await scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await scene.during(a.close());
    expect(await send()).toEqual([500, 'session not connected', true]);
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.until(() => b.sessions.state(id) === 'connected');
    expect(await send()).toEqual([200, undefined, true]);
  });

  it('[CL1.6] are not joined by one that is alone', async () => {
    const scene = await openGatewaysScene();
    const a = await scene.join();
    const started = await scene.during(
      scene.startAlone(onKurrentDbAt(placeOn(scene.server))).then(
        () => 'it has started',
        (error: Error) => error.message,
      ),
    );
    expect(started).toContain('belongs to several gateways');
    await scene.during(a.close());
    expect(await scene.during(scene.startAlone(onKurrentDbAt(placeOn(scene.server))))).toBe('started');
  });
});
