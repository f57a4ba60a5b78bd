import { expect, it, onTestFinished } from 'vitest';
import {
  type ConnectedCaller,
  type GatewaysScene,
  joinTwo,
  openGatewaysScene,
} from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startWebServer } from '../../support/kit/web-server.ts';

/** Two sessions of one account, of which each gateway has one. */

/** An endpoint that takes everything, and the texts of the messages that it was told. */
async function openEndpoint() {
  const texts: string[] = [];
  const server = await startWebServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { text: string } };
      texts.push(data.text);
      response.end();
    });
  });
  onTestFinished(() => server.close());
  return { url: server.url, texts };
}

interface Login {
  gateway: TestGateway;
  caller: ConnectedCaller;
  /** What its webhook was told. */
  texts: string[];
}

async function logIn(scene: GatewaysScene, gateway: TestGateway, account?: string): Promise<Login> {
  const caller = await scene.connected(gateway, account);
  const { url, texts } = await openEndpoint();
  const body = { url, token: 'secret', events: ['message'] };
  const set = await scene.during(gateway.http.request('PUT', '/session/webhook', { headers: caller.headers, body }));
  expect([set.status, gateway.sessions.state(caller.id)]).toEqual([200, 'connected']);
  return { gateway, caller, texts };
}

async function openTwoLogins() {
  const scene = await openGatewaysScene();
  const [a, b] = await joinTwo(scene, { ALLOW_PRIVATE_URLS: 'true' });
  const first = await logIn(scene, a);
  const second = await logIn(scene, b, first.caller.userId);
  const send = (from: Login, through: TestGateway, text: string): ReturnType<TestGateway['http']['request']> =>
    scene.during(
      through.http.request('POST', '/message', {
        headers: from.caller.headers,
        body: { username: 'bob', type: 'text', text },
      }),
    );
  const write = (text: string): Promise<unknown> =>
    scene.sandbox.call('POST', `/accounts/${first.caller.userId}/messages`, { peer: '1002', text });
  return { scene, a, b, first, second, send, write };
}

it('[CL5.9] neither webhook is told what the other session sent, and both what the phone wrote', async () => {
  const { scene, a, b, first, second, send, write } = await openTwoLogins();
  for (let number = 0; number < 4; number += 1) {
    const from = number % 2 === 0 ? first : second;
    const { status, body } = await send(from, number > 1 ? a : b, `sent ${number}`);
    expect([number, status, body]).toEqual([number, 200, expect.anything()]);
  }
  await write('from the phone');
  await scene.until(() => first.texts.length > 0 && second.texts.length > 0);
  await scene.pass(5_000);
  expect([first.texts, second.texts]).toEqual([['from the phone'], ['from the phone']]);
});

it('[CL5.9] nor what a session sent that has been deleted since', async () => {
  const { scene, a, first, second, send, write } = await openTwoLogins();
  await scene.sandbox.call('POST', '/chaos', { userId: first.caller.userId, loseUpdates: 2 });
  expect((await send(first, a, 'sent')).status).toBe(200);
  const { headers } = first.caller;
  expect((await scene.during(a.http.request('DELETE', '/session', { headers }))).status).toBe(200);
  await write('from the phone');
  await scene.until(() => second.texts.length > 0);
  await scene.pass(5_000);
  expect(second.texts).toEqual(['from the phone']);
});

it('[CL5.9] while the other gateway is gone, what it sent is told as the phone’s, and nothing is lost', async () => {
  const { scene, a, b, first, second, send, write } = await openTwoLogins();
  await scene.sandbox.call('POST', '/chaos', { userId: first.caller.userId, loseUpdates: 2 });
  expect((await send(first, a, 'sent')).status).toBe(200);
  await a.crash();
  await write('from the phone');
  await scene.until(() => second.texts.includes('from the phone'));
  expect(second.texts).toEqual(['sent', 'from the phone']);
  await scene.until(() => b.sessions.state(first.caller.id) === 'connected');
  await write('once more');
  await scene.until(() => first.texts.includes('once more') && second.texts.includes('once more'));
});
