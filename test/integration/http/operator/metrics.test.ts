import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotConnectedError, TelegramError } from '../../../../src/telegram/port/errors.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { metricSamples } from '../../../support/metrics/metric-samples.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

async function samples(): Promise<Map<string, number>> {
  const { statusCode, headers, body } = await gate.app.inject({ url: '/metrics' });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return metricSamples(body);
}

describe('GET /metrics', () => {
  it('[AU4.1] wants the API key, where there is one', async () => {
    const locked = await startTestApp({ apiKey: 'secret' });
    try {
      const without = await locked.app.inject({ url: '/metrics' });
      expect([without.statusCode, without.json()]).toEqual([401, { statusCode: 401, message: 'invalid api key' }]);
      const right = await locked.app.inject({ url: '/metrics', headers: { 'x-api-key': 'secret' } });
      expect(right.statusCode).toBe(200);
    } finally {
      await locked.close();
    }
  });

  it('[AU4.3] is read with METRICS_TOKEN, which opens nothing else', async () => {
    const locked = await startTestApp({ apiKey: 'secret', metricsToken: 'scraper' });
    const ask = async (url: string, headers: Record<string, string>): Promise<number> =>
      (await locked.app.inject({ url, headers })).statusCode;
    try {
      expect(await ask('/metrics', { 'x-api-key': 'scraper' })).toBe(200);
      expect(await ask('/metrics', { authorization: 'Bearer scraper' })).toBe(200);
      expect(await ask('/metrics', { 'x-api-key': 'secret' })).toBe(200);
      expect(await ask('/metrics', {})).toBe(401);
      expect(await ask('/metrics', { authorization: 'Basic scraper' })).toBe(401);
      expect(await ask('/sessions', { 'x-api-key': 'scraper' })).toBe(401);
      expect(await ask('/sessions', { 'x-api-key': 'secret' })).toBe(200);
    } finally {
      await locked.close();
    }
  });

  it('[AU4.3] wants METRICS_TOKEN where it is the only key', async () => {
    const open = await startTestApp({ metricsToken: 'scraper' });
    try {
      expect((await open.app.inject({ url: '/metrics' })).statusCode).toBe(401);
      expect((await open.app.inject({ url: '/sessions' })).statusCode).toBe(200);
    } finally {
      await open.close();
    }
  });

  it('[OP5.1] answers while the service is starting', async () => {
    const starting = await startTestApp({ hasViews: () => false });
    try {
      expect((await starting.app.inject({ url: '/sessions' })).statusCode).toBe(503);
      expect((await starting.app.inject({ url: '/metrics' })).statusCode).toBe(200);
    } finally {
      await starting.close();
    }
  });

  it('[OP5.1] counts sessions by state, as they are now', async () => {
    await gate.session();
    await gate.connect(await gate.session());
    const deleted = await gate.session();
    await gate.call('DELETE', '/session', { headers: deleted });
    const found = await samples();
    expect(
      ['qrPending', 'passwordRequired', 'connected', 'disconnected', 'deleted'].map((state) =>
        found.get(`gateway_sessions{state="${state}"}`),
      ),
    ).toEqual([1, 0, 1, 0, 1]);
  });

  it('[OP5.1] counts requests by route and status, and what is no route as one', async () => {
    const headers = await gate.session();
    await gate.call('GET', '/session', { headers });
    await gate.call('GET', '/group/-1', { headers });
    await gate.call('GET', `/no/such/${headers.id}`);
    await gate.call('PUT', '/session');
    const found = await samples();
    const count = (labels: string): number | undefined => found.get(`gateway_http_request_seconds_count{${labels}}`);
    expect(count('method="POST",route="/session",status="200"')).toBe(1);
    expect(count('method="GET",route="/session",status="200"')).toBe(1);
    expect(count('method="GET",route="/group/:groupId",status="500"')).toBe(1);
    expect(count('method="any",route="unknown",status="404"')).toBe(1);
    expect(count('method="any",route="unknown",status="405"')).toBe(1);
    expect([...found.keys()].filter((name) => name.includes(headers.id))).toEqual([]);
  });

  it('[OP5.1] counts sends by what they are and how they end', async () => {
    const headers = await gate.session();
    const errors = [
      undefined,
      new TelegramError(420, 'FLOOD_WAIT_3600', 'messages.SendMessage'),
      new TelegramError(420, 'FLOOD_WAIT_60', 'messages.SendMessage'),
      new TelegramError(403, 'what a strange name', 'messages.SendMessage'),
      new NotConnectedError('gone'),
      new Error('ours'),
    ];
    let sent = 0;
    await gate.connect(headers, {
      byUsername: async (username) => ({ kind: 'user', id: username }),
      sendText: async () => {
        const error = errors[sent++];
        if (error !== undefined) throw error;
        return 7;
      },
    });
    for (let left = errors.length; left > 0; left--) {
      await gate.call('POST', '/message', { headers, body: { username: 'bobby', type: 'text', text: 'hi' } });
    }
    await gate.call('POST', '/message', { headers, body: { phone: '1', type: 'text', text: 'hi' } });
    const found = await samples();
    const outcomes = ['sent', 'FLOOD_WAIT', 'other', 'not-connected', 'fault'];
    expect(outcomes.map((outcome) => found.get(`gateway_sends_total{type="text",outcome="${outcome}"}`))).toEqual([
      1, 2, 1, 1, 1,
    ]);
    expect(found.get('gateway_send_seconds_count{type="text"}')).toBe(6);
  });

  it('[OP5.1] says that the service is not ready', async () => {
    expect((await samples()).get('gateway_ready')).toBe(1);
    gate.status.reasonsAgainstReady = ['sessions are being restored'];
    expect((await samples()).get('gateway_ready')).toBe(0);
  });

  it('[OP5.1] has the process: CPU, memory and the lag of the event loop', async () => {
    const found = await samples();
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(found.get(name)).toBeGreaterThanOrEqual(0);
    }
  });
});
