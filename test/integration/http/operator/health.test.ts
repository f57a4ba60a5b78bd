import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

it('[OP2.2] is alive as long as it answers', async () => {
  gate.status.reasonsAgainstReady = ['sessions are being restored'];
  expect(await gate.call('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

it('[OP2.2] says why it is not ready', async () => {
  expect(await gate.call('GET', '/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  gate.status.reasonsAgainstReady = ['sessions are being restored', 'views do not follow the event store'];
  const answer = await gate.call('GET', '/health/ready');
  expect([answer.status, answer.body]).toEqual([
    503,
    { statusCode: 503, message: 'sessions are being restored\nviews do not follow the event store' },
  ]);
});
