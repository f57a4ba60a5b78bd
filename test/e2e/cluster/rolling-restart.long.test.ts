import { expect, it } from 'vitest';
import { sleep } from '../../../actors/kit/sleep.ts';
import { partitionCount } from '../../../src/cluster/partitions.ts';
import { type ConnectedCaller, type GatewaysScene, openGatewaysScene } from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

const bob = '1002';
const nodes = 3;
const sessions = 6;
const betweenMs = 100;
/** Hashing spreads the partitions unevenly. */
const leastShare = partitionCount / nodes / 2;

interface AnswerSeen {
  what: string;
  status: number;
  message: unknown;
  /** From the first attempt on. */
  ms: number;
}

/** Callers that send without a break, through whichever gateway takes the connection. Each remembers its answers. */
function openCallers(scene: GatewaysScene, callers: readonly ConnectedCaller[], gateways: readonly TestGateway[]) {
  const { clock } = scene;
  const answers: AnswerSeen[] = [];
  let turn = 0;
  const life = { isOver: false };
  const ask = async (method: string, path: string, asked: { headers: Record<string, string>; body?: unknown }) => {
    const from = clock.elapsed();
    for (;;) {
      const gateway = gateways[(turn += 1) % gateways.length] as TestGateway;
      // One that is ending takes no connection: a balancer asks the next one.
      const answer = await gateway.http.request(method, path, asked).catch(() => undefined);
      if (answer !== undefined) {
        answers.push({
          what: `${method} ${path}`,
          status: answer.status,
          message: answer.body['message'],
          ms: clock.elapsed() - from,
        });
        return;
      }
      await sleep(clock, 1);
    }
  };
  const send = async ({ headers, userId }: ConnectedCaller): Promise<number> => {
    let sent = 0;
    for (; !life.isOver; sent += 1) {
      const text = `sent ${userId} ${sent}`;
      const body = { username: 'bob', type: 'text', text };
      await ask('POST', '/message', { headers: { ...headers, 'idempotency-key': text }, body });
      await ask('GET', '/session', { headers });
      await sleep(clock, betweenMs);
    }
    return sent;
  };
  const lives = callers.map(send);
  return {
    answers,
    /** @returns how many messages each has sent */
    end: () => {
      life.isOver = true;
      return Promise.all(lives);
    },
  };
}

it('[CL4.4] no request waits for long while one gateway after the other is restarted, and each message is sent once', async () => {
  const scene = await openGatewaysScene();
  const gateways: TestGateway[] = [];
  for (let number = 0; number < nodes; number += 1) gateways.push(await scene.join());
  const shared = (): Promise<unknown> =>
    scene.until(async () => {
      const owned = await scene.owned(...gateways);
      return (
        owned.every((count) => count >= leastShare) && owned.reduce((sum, count) => sum + count, 0) === partitionCount
      );
    });
  await shared();
  const callers: ConnectedCaller[] = [];
  for (let number = 0; number < sessions; number += 1)
    callers.push(await scene.connected(gateways[number % nodes] as TestGateway));

  const load = openCallers(scene, callers, gateways);
  for (let restarts = 0; restarts < nodes; restarts += 1) {
    await scene.during((gateways[0] as TestGateway).close());
    gateways.shift();
    gateways.push(await scene.join());
    await shared();
  }
  const sent = await scene.during(load.end());

  expect(load.answers.filter(({ status }) => status !== 200)).toEqual([]);
  // A send waits for its session: none was away for longer.
  expect(load.answers.filter(({ ms }) => ms > 3_000)).toEqual([]);
  for (const [number, { userId }] of callers.entries()) {
    const listed = await scene.sandbox.call<{ text: string }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${userId}&limit=1000`,
    );
    const texts = listed.map(({ text }) => text).toReversed();
    expect(texts).toEqual(Array.from({ length: sent[number] ?? 0 }, (_, at) => `sent ${userId} ${at}`));
  }
  expect(await scene.doublyUsedKeys()).toBe(0);
});
