import { afterEach, expect, it } from 'vitest';
import { ann, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';
import { metricSamples } from '../../support/metrics/metric-samples.ts';

const scenes: Scene[] = [];
const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function samplesOf(scene: Scene): Promise<(name: string) => number | undefined> {
  const samples = metricSamples(await (await fetch(`${scene.gateway.url}/metrics`)).text());
  return (name) => samples.get(name);
}

it('[OP5.1] a gateway counts what it does: logins, sends, waits, appends', async () => {
  const scene = await openScene();
  scenes.push(scene);
  const caller = await scene.connected(ann);
  const fault = { method: 'messages.sendMessage', error: 'FLOOD_WAIT_3600', code: 420, times: 1 };
  await scene.sandbox.call('POST', '/faults', fault);
  const message = { username: 'bob', type: 'text', text: 'hello' };
  expect((await scene.request(caller, 'POST', '/message', message)).status).toBe(500);
  expect((await scene.request(caller, 'POST', '/message', message)).status).toBe(200);
  const count = await samplesOf(scene);
  expect(count('gateway_ready')).toBe(1);
  expect(count('gateway_sessions{state="connected"}')).toBe(1);
  expect(count('gateway_logins_total{by="qr"}')).toBe(1);
  expect(count('gateway_login_scan_seconds_count')).toBe(1);
  expect(count('gateway_sends_total{type="text",outcome="sent"}')).toBe(1);
  expect(count('gateway_sends_total{type="text",outcome="FLOOD_WAIT"}')).toBe(1);
  expect(count('gateway_telegram_waits_total{request="messages.SendMessage",waited="false"}')).toBe(1);
  expect(count('gateway_store_append_seconds_count{outcome="recorded"}')).toBeGreaterThan(3);
  expect(count('gateway_store_away')).toBe(0);
  expect(count('gateway_view_lag_seconds')).toBe(0);
});

it('[OP5.1] a gateway shows what its webhooks are behind', async () => {
  const scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  scenes.push(scene);
  let status = 500;
  const server = await startWebServer((_request, response) => response.writeHead(status).end());
  servers.push(server);
  const caller = await scene.connected(ann);
  await scene.request(caller, 'PUT', '/session/webhook', { url: server.url, token: 'of-ours' });
  await scene.sandbox.call('POST', '/accounts/1002/messages', { peer: ann, text: 'are you there?' });
  const untilFailed = async (): Promise<(name: string) => number | undefined> => {
    for (;;) {
      const count = await samplesOf(scene);
      if (count('gateway_webhook_deliveries_total{outcome="failed"}') !== 0) return count;
      await scene.clock.advance(0);
    }
  };
  expect((await untilFailed())('gateway_webhook_pending')).toBe(1);
  await scene.clock.advance(1000);
  expect((await samplesOf(scene))('gateway_webhook_oldest_seconds')).toBeGreaterThanOrEqual(1);
  status = 200;
  await scene.pass(10_000);
  const count = await samplesOf(scene);
  expect(count('gateway_webhook_pending')).toBe(0);
  expect(count('gateway_webhook_oldest_seconds')).toBe(0);
  expect(count('gateway_webhook_deliveries_total{outcome="delivered"}')).toBe(1);
});
