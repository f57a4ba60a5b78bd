import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

const info = 30;
const debug = 20;

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

interface Line {
  level: number;
  msg: string;
  [field: string]: unknown;
}
const lines = (message: string): Line[] =>
  gate.logLines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === message);

it('[OP7.1] a request is one line, and what it changes another that names it', async () => {
  const headers = await gate.session();
  await gate.call('POST', '/session/reset', { headers, body: {} });
  await gate.call('DELETE', '/session', { headers });
  const requests = lines('request');
  expect(
    requests.map(({ level, method, path, status, session }) => ({ level, method, path, status, session })),
  ).toEqual([
    { level: info, method: 'POST', path: '/session', status: 200 },
    { level: info, method: 'POST', path: '/session/reset', status: 200, session: headers.id },
    { level: info, method: 'DELETE', path: '/session', status: 200, session: headers.id },
  ]);
  const changes = lines('session changed').map(({ reqId, session, fact, from, to, reason }) => ({
    reqId,
    session,
    fact,
    from,
    to,
    reason,
  }));
  expect(changes).toEqual([
    {
      reqId: requests[0]?.['reqId'],
      session: headers.id,
      fact: 'SessionCreated',
      from: null,
      to: 'qrPending',
      reason: 'created',
    },
    {
      reqId: requests[1]?.['reqId'],
      session: headers.id,
      fact: 'SessionReset',
      from: 'qrPending',
      to: 'qrPending',
      reason: 'reset',
    },
    {
      reqId: requests[2]?.['reqId'],
      session: headers.id,
      fact: 'SessionDeleted',
      from: 'qrPending',
      to: 'deleted',
      reason: 'user',
    },
  ]);
  expect(gate.logLines.join('')).not.toContain(headers['session-id']);
});

it('[OP7.1] what machines ask every few seconds is for `debug`, unless it fails', async () => {
  await gate.call('GET', '/health/live');
  await gate.app.inject({ url: '/metrics' });
  gate.status.reasonsAgainstReady = ['sessions are being restored'];
  await gate.call('GET', '/health/ready');
  expect(lines('request').map(({ level, path }) => [path, level])).toEqual([
    ['/health/live', debug],
    ['/metrics', debug],
    ['/health/ready', info],
  ]);
});

it('[OP7.1] a path is logged up to its 256th character', async () => {
  await gate.call('GET', `/group/${'g'.repeat(2_000)}`);
  expect(lines('request').map(({ path }) => path)).toEqual([`/group/${'g'.repeat(249)}…`]);
});

it('[OP7.3] names the address of a caller that is refused for its credentials, and of no other', async () => {
  const headers = await gate.session();
  await gate.call('GET', '/session', { headers });
  await gate.call('GET', '/session', { headers: { ...headers, 'session-id': 'wrong' } });
  await gate.call('GET', '/session', { headers: {} });
  expect(lines('request').map(({ status, client }) => [status, client])).toEqual([
    [200, undefined],
    [200, undefined],
    [404, '127.0.0.1'],
    [400, undefined],
  ]);
});
