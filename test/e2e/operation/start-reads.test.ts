import { expect, it, onTestFinished } from 'vitest';
import { writeLogin } from '../../../src/telegram/login/login-state.ts';
import { startTestGateway } from '../../support/gateway/gateway.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { passTime } from '../../support/kit/passing-time.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';
import { World } from '../../support/webhook/world.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const login = writeLogin({ stage: 'complete', dc: 2, keys: new Map([[2, Buffer.alloc(256, 3)]]), peers: [] });

/** A server with sessions that have a login, a webhook, deliveries and sends under a key, a while ago. */
async function fill(sessions: number): Promise<{ server: KurrentDbDouble; at: number }> {
  const server = await new KurrentDbDouble().start();
  const world = await new World(server.url).begin();
  onTestFinished(() => server.stop());
  for (let count = 0; count < sessions; count += 1) {
    const id = await world.session();
    await world.vault.saveLogin(id, login);
    await world.arrive(id, [{ text: 'hello', from: 2000 }]);
    const sent = { id: crypto.randomUUID(), type: 'SendBegun', data: {}, metadata: {} };
    await world.store.append(`send-${id}`, 'no-stream', [sent]);
  }
  await world.pass(minuteMs);
  await world.end();
  return { server, at: world.clock.now() };
}

/** What a start and its first minutes read: so many subscriptions, and the streams that were read by themselves. */
async function readsOfStart(sessions: number): Promise<{ subscriptions: number; streams: string[] }> {
  const { server, at } = await fill(sessions);
  const sandbox = await startTestSandbox();
  await sandbox.call('POST', '/network', { action: 'refuse' });
  const clock = createDrivenClock({ startAt: at + dayMs });
  const [subscriptions = 0, reads] = [server.calls['subscribe'], server.streamsRead.length];
  const gateway = await startTestGateway({
    sandbox,
    clock,
    environment: { ...onKurrentDbAt(placeOn(server)), MASTER_KEY: Buffer.alloc(32, 1).toString('hex') },
  });
  onTestFinished(async () => {
    await gateway.close();
    await sandbox.close();
  });
  await gateway.started;
  await passTime(clock, 2 * minuteMs);
  expect(gateway.views.list({ limit: 100 }).length).toBe(sessions);
  const streams = server.streamsRead.slice(reads);
  return { subscriptions: (server.calls['subscribe'] ?? 0) - subscriptions, streams };
}

it('[OP2.4] a start reads as often for many sessions as for few, whatever they have beside their streams', async () => {
  const [few, many] = [await readsOfStart(6), await readsOfStart(12)];
  // Each connection that is opened asks once where the updates of its account continue.
  const ofConnections = (stream: string): boolean => stream.startsWith('delivery-');
  expect([few, many].map(({ streams }) => streams.filter(ofConnections).length)).toEqual([6, 12]);
  // Whether several gateways have the store.
  const ofLeases = (stream: string): boolean => stream.startsWith('lease-');
  expect([few, many].map(({ streams }) => streams.filter(ofLeases).length)).toEqual([4, 4]);
  const others = [few, many].map(({ streams }) =>
    streams.filter((stream) => !ofConnections(stream) && !ofLeases(stream)),
  );
  // Everything else is read in passes over the log.
  const once = ['', '', '', '', 'followed', 'keys', 'store-copy', 'store-identity'];
  expect(others.map((streams) => streams.toSorted())).toEqual([once, once]);
  expect(many.subscriptions).toBe(few.subscriptions);
});
