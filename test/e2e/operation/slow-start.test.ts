import { expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../../support/gateway/gateway.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../support/kit/passing-time.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

it('[OP2.3] listens within 2 s however long the store takes, and says what it is waiting for', async () => {
  const server = await new KurrentDbDouble().start();
  const sandbox = await startTestSandbox();
  const releases = [server.faults.holdReads(), server.faults.holdSubscriptions()];
  const clock = createDrivenClock();
  const waitedFor: unknown[] = [];
  const starting = startTestGateway({
    sandbox,
    clock,
    environment: onKurrentDbAt(placeOn(server)),
    logTo: {
      write(line) {
        const { msg, waitingFor } = JSON.parse(line) as { msg: string; waitingFor?: string };
        if (msg === 'still starting') waitedFor.push(waitingFor);
      },
    },
  });
  while (server.calls['read'] === undefined) await settleNetwork();
  await passTime(clock, 2_000);
  // No more time passes until it listens.
  const gateway = await starting;
  onTestFinished(async () => {
    await gateway.close();
    await sandbox.close();
    await server.stop();
  });
  const first = 'the event store is being checked';
  const ready = () => gateway.http.request('GET', '/health/ready');
  expect(await ready()).toMatchObject({ status: 503, body: { message: expect.stringContaining(first) } });
  expect((await gateway.http.request('GET', '/health/live')).status).toBe(200);
  const created = await gateway.http.request('POST', '/session', { body: {} });
  expect(created).toMatchObject({ status: 503, body: { message: 'service is starting' } });
  expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const release of releases) release();
  await whileTimePasses(clock, gateway.started);
  expect((await ready()).status).toBe(200);
  expect(waitedFor).toEqual([
    first,
    'other gateways are being looked for',
    'the keys of the sessions are being read',
    'the views are being brought up to date',
    'sessions are being restored',
  ]);
});
