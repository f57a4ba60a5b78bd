import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer } from '../../support/kit/web-server.ts';
import { type Prometheus, startPrometheus } from '../../support/metrics/prometheus.ts';
import { programOf } from '../../support/repository/programs.ts';

const program = programOf('prometheus', 'prometheus');
const metricsToken = 'token-of-the-scraper-0123456789';
/** What Grafana puts into the variables of the dashboard. */
const job = 'telegram-session-gateway';
const rateInterval = '20s';
const pollMs = 500;
/** Far more than it takes. */
const maxPolls = 120;

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

/** Starts Prometheus with the configuration that ships, which scrapes this gateway each second. */
async function scrape(scene: Scene): Promise<Prometheus> {
  const folder = await createTemporaryFolder();
  onTestFinished(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  await writeFile(at('gateway-token'), metricsToken);
  const shipped = await readFile('deploy/prometheus/prometheus.yml', 'utf8');
  const replaced = {
    '/etc/prometheus/telegram-gateway-alerts.yaml': resolve('docs/grafana/alerts.yaml'),
    '/etc/prometheus/gateway-token': at('gateway-token'),
    '127.0.0.1:3000': new URL(scene.gateway.url).host,
  };
  let config = `global: { scrape_interval: 1s }\n${shipped}`;
  for (const [from, to] of Object.entries(replaced)) {
    expect(config).toContain(from);
    config = config.replaceAll(from, to);
  }
  await writeFile(at('prometheus.yml'), config);
  const prometheus = await startPrometheus(program ?? '', at('prometheus.yml'), at('store'));
  onTestFinished(() => prometheus.close());
  return prometheus;
}

/** All logins of the account end, as on its phone. */
async function loseLogins(scene: Scene): Promise<void> {
  await scene.connected(ann);
  await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
  await scene.pass(1_000);
}

/** Telegram is out of reach for longer than a session waits in silence. */
async function cutOff(scene: Scene): Promise<void> {
  await scene.sandbox.call('POST', '/network', { action: 'refuse' });
  await scene.sandbox.call('POST', '/network', { action: 'cut' });
  await scene.pass(15_000);
  await scene.sandbox.call('POST', '/network', { action: 'accept' });
  await scene.pass(30_000);
}

/** What goes on all the time: logins, outages, messages in and out, some of which fail, pictures, wrong requests. */
async function live(scene: Scene, caller: Caller, round: number): Promise<void> {
  if (round % 8 === 4) await cutOff(scene);
  if (round % 8 === 0) {
    const another = await scene.connected(ann);
    await scene.request(another, 'DELETE', '/session');
  }
  if (round % 2 === 0) {
    const fault = { method: 'messages.sendMessage', error: 'FLOOD_WAIT_3600', code: 420, times: 1 };
    await scene.sandbox.call('POST', '/faults', fault);
  }
  await scene.whilePassing(scene.request(caller, 'POST', '/message', { user: bob, type: 'text', text: `${round}` }));
  await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: `${round}` });
  const asking = scene.request<{ docs: { picture: string }[] }>(caller, 'GET', '/chat');
  const chats = await scene.whilePassing(asking);
  expect(chats).toMatchObject({ status: 200, body: { docs: expect.any(Array) } });
  for (const { picture } of chats.body.docs) {
    if (picture !== '') await fetch(scene.gateway.url + new URL(picture).pathname).then((seen) => seen.arrayBuffer());
  }
  await scene.request({ ...caller, headers: { ...caller.headers, 'session-id': 'wrong' } }, 'GET', '/session');
  await scene.pass(1_000);
}

it.skipIf(program === undefined)(
  '[OP5.2] [PK3.2] in a real Prometheus each panel of the dashboard has data',
  async () => {
    const scene = await openScene({ environment: { METRICS_TOKEN: metricsToken, ALLOW_PRIVATE_URLS: 'true' } });
    onTestFinished(() => scene.close());
    const prometheus = await scrape(scene);
    const receiver = await startWebServer((_request, response) => response.writeHead(200).end());
    onTestFinished(() => receiver.close());
    await loseLogins(scene);
    const caller = await scene.connected(ann);
    await scene.request(caller, 'PUT', '/session/webhook', { url: receiver.url, token: 'of-ours' });

    const dashboard = JSON.parse(await readFile('docs/grafana/dashboard.json', 'utf8')) as Dashboard;
    const asked = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        title,
        expression: expr.replaceAll('$__rate_interval', rateInterval).replaceAll('$job', job),
      })),
    );
    expect(asked.length).toBeGreaterThan(30);
    let missing = asked;
    for (let poll = 0; missing.length > 0 && poll < maxPolls; poll += 1) {
      await live(scene, caller, poll);
      await pause(pollMs);
      const found = await Promise.all(missing.map(({ expression }) => prometheus.query(expression)));
      missing = missing.filter((_, index) => !found[index]?.some((value) => Number.isFinite(value)));
    }
    expect(missing).toEqual([]);
    expect(await prometheus.query('count(ALERTS{alertname="GatewayAway"})')).toEqual([]);
  },
);
