import { beforeEach, describe, expect, it } from 'vitest';
import { partitionOf } from '../../../src/cluster/partitions.ts';
import {
  type ConnectedCaller,
  type GatewaysScene,
  joinTwo,
  openGatewaysScene,
} from '../../support/cluster/gateways-scene.ts';
import type { Answer, TestGateway } from '../../support/gateway/gateway.ts';
import { settleNetwork } from '../../support/kit/passing-time.ts';

/** A node is told to end while one of its calls to Telegram has no answer yet. */

const bob = '1002';
const method = 'messages.sendMessage';

let scene: GatewaysScene;
let ending: TestGateway;
let other: TestGateway;
let caller: ConnectedCaller;

beforeEach(async () => {
  scene = await openGatewaysScene();
  [ending, other] = await joinTwo(scene);
  caller = await scene.connected(ending);
});

const send = (through: TestGateway, text: string, headers: Record<string, string> = {}): Promise<Answer> =>
  through.http.request('POST', '/message', {
    headers: { ...caller.headers, ...headers },
    body: { username: 'bob', type: 'text', text },
  });
const fault = (what: object): Promise<unknown> => scene.sandbox.call('POST', '/faults', { method, times: 1, ...what });
const arrivals = async (): Promise<number> =>
  (await scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length;
/** How often Bob has the text. */
const seen = async (text: string): Promise<number> => {
  const messages = await scene.sandbox.call<{ text: string }[]>(
    'GET',
    `/accounts/${bob}/messages?peer=${caller.userId}&limit=100`,
  );
  return messages.filter((message) => message.text === text).length;
};
/** Begins to send, and resolves when Telegram has the call. No time passes. */
const begin = async (...[through, text, headers]: Parameters<typeof send>): Promise<{ answer: Promise<Answer> }> => {
  const before = await arrivals();
  const answer = send(through, text, headers);
  while ((await arrivals()) === before) await settleNetwork();
  return { answer };
};

describe('a send that is in flight when its node is told to end', () => {
  it.each([
    ['its own node', () => ending],
    ['another node', () => other],
  ])('[CL4.5] through %s is waited for, and the session goes on at the next owner', async (_, through) => {
    await fault({ delayMs: 300 });
    const { answer } = await begin(through(), 'slow');
    const closed = ending.close();
    // Telegram is late by the time of day, which none of the nodes sees pass.
    expect((await answer).status).toBe(200);
    const ms = await scene.until(() => other.sessions.state(caller.id) === 'connected');
    expect(ms).toBeLessThanOrEqual(3_000);
    await scene.during(closed);
    expect((await scene.during(send(other, 'next'))).status).toBe(200);
    expect([await seen('slow'), await seen('next')]).toEqual([1, 1]);
    expect(await scene.doublyUsedKeys()).toBe(0);
  });

  it.each([
    ['its own node', () => ending],
    ['another node', () => other],
  ])(
    '[CL4.5] [CL5.25] through %s is waited for 0.4 seconds, and repeated at the next owner if it has a key',
    async (_, through) => {
      await fault({ dropAnswer: true });
      const { answer } = await begin(through(), 'unanswered', { 'idempotency-key': 'key' });
      const from = scene.clock.elapsed();
      const closed = ending.close();
      const { status } = await scene.during(answer);
      expect(status).toBe(200);
      expect(scene.clock.elapsed() - from).toBeGreaterThanOrEqual(400);
      expect(scene.clock.elapsed() - from).toBeLessThanOrEqual(3_000);
      await scene.during(closed);
      expect(await seen('unanswered')).toBe(1);
    },
  );

  it.each([
    ['its own node', () => ending],
    ['another node', () => other],
  ])('[CL5.25] through %s is 500 after that time if it has no key, and is not sent again', async (_, through) => {
    await fault({ dropAnswer: true });
    const { answer } = await begin(through(), 'unanswered');
    const closed = ending.close();
    const { status, headers } = await scene.during(answer);
    expect([status, headers.get('x-error-code'), headers.get('retry-after')]).toEqual([500, 'node_lost', '1']);
    await scene.during(closed);
    await scene.until(() => other.sessions.state(caller.id) === 'connected');
    expect(await seen('unanswered')).toBe(1);
  });
});

it('[OP2.2] [CL4.5] [CL5.25] a send that waits for its turn in the pace of its account has it at the next owner', async () => {
  const pace = await scene.during(
    other.http.request('PATCH', '/session', { headers: caller.headers, body: { pace: { perMinute: 1 } } }),
  );
  expect(pace.status).toBe(200);
  expect((await scene.during(send(ending, 'first'))).status).toBe(200);
  const answers = [send(ending, 'through its own'), send(other, 'through the other')];
  await scene.pass(1_000);
  const closed = ending.close();
  // They hold nothing up.
  expect(await scene.until(() => other.sessions.state(caller.id) === 'connected')).toBeLessThan(1_000);
  const from = scene.clock.elapsed();
  const statuses = (await scene.during(Promise.all(answers))).map(({ status }) => status);
  // The node that ends gives the requests that it has 10 seconds.
  expect(statuses).toEqual([503, 200]);
  expect(scene.clock.elapsed() - from).toBeGreaterThan(50_000);
  await scene.during(closed);
  expect([await seen('first'), await seen('through its own'), await seen('through the other')]).toEqual([1, 0, 1]);
});

it('[CL4.5] one session’s slow call does not keep the others from their next owner', async () => {
  const callers = [caller];
  while (callers.length < 6) callers.push(await scene.connected(ending));
  await fault({ dropAnswer: true });
  const { answer } = await begin(ending, 'unanswered');
  const closed = ending.close();
  const others = callers.filter(({ id }) => partitionOf(id) !== partitionOf(caller.id));
  const ms = await scene.until(() => others.every(({ id }) => other.sessions.state(id) === 'connected'));
  expect(others.length).toBeGreaterThan(0);
  expect(ms).toBeLessThan(1_000);
  expect(ending.sessions.state(caller.id)).toBe('connected');
  await scene.during(answer);
  await scene.during(closed);
});

it('[CL4.5] an ending node cancels its typing indicators, and its sessions leave after that', async () => {
  const actions = async (): Promise<unknown[]> => {
    const calls = await scene.sandbox.call<{ params: { action: { _: string } } }[]>(
      'GET',
      '/calls?method=messages.setTyping',
    );
    return calls.map(({ params }) => params.action._);
  };
  const typed = other.http.request('POST', '/typing', { headers: caller.headers, body: { username: 'bob' } });
  expect((await scene.during(typed)).status).toBe(200);
  await scene.during(ending.close());
  expect(await actions()).toEqual(['sendMessageTypingAction', 'sendMessageCancelAction']);
});
