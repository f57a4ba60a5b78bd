import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../src/config/config.ts';

interface Probe {
  httpGet: { path: string; port: string };
}
interface PodSpec {
  terminationGracePeriodSeconds: number;
  securityContext: { runAsUser: number; runAsGroup: number; fsGroup: number };
  containers: {
    image: string;
    startupProbe: Probe;
    livenessProbe: Probe;
    readinessProbe: Probe;
    resources: { limits: { memory: string } };
  }[];
}

const read = (file: string): string => readFileSync(file, 'utf8');
const overlay = (name: string, file: string): string => read(`deploy/kubernetes/overlays/${name}/${file}`);
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: { embedded: { image: string; stop_grace_period: string; mem_limit: string } };
};
const { spec: pod } = (parse(read('deploy/kubernetes/base/gateway.yaml')) as { spec: { template: { spec: PodSpec } } })
  .spec.template;

describe('deploy/kubernetes', () => {
  it("[PK3.1] runs the image as the Dockerfile's user, with the memory and the time to end of docker-compose.yml", () => {
    const [container] = pod.containers;
    const { image, stop_grace_period: gracePeriod, mem_limit: memory } = compose.services.embedded;
    expect(container?.image).toBe(image);
    expect(`${pod.terminationGracePeriodSeconds}s`).toBe(gracePeriod);
    expect(container?.resources.limits.memory).toBe(`${Number.parseInt(memory, 10)}Gi`);
    const [, user] = /^USER (\d+):\1$/m.exec(read('Dockerfile')) ?? [];
    const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    expect([runAsUser, runAsGroup, fsGroup]).toEqual([Number(user), Number(user), Number(user)]);
    expect([container?.startupProbe, container?.livenessProbe, container?.readinessProbe]).toMatchObject([
      { httpGet: { path: '/health/live', port: 'http' } },
      { httpGet: { path: '/health/live', port: 'http' } },
      { httpGet: { path: '/health/ready', port: 'http' } },
    ]);
  });

  it.each(['embedded', 'kurrentdb', 'cluster'])('[PK3.1] has settings for %s that the gateway starts with', (name) => {
    const settings = parseEnv(overlay(name, 'settings.env')) as Record<string, string>;
    const secrets = parseEnv(overlay(name, 'secrets.env.example')) as Record<string, string>;
    expect(new Set(Object.values(secrets))).toEqual(new Set(['']));
    const key = 'k'.repeat(32);
    const filled: Record<string, string> = {
      EVENT_STORE_URL: 'kurrentdb://kurrentdb:2113?tls=false',
      API_KEY: key,
      METRICS_TOKEN: key,
      TELEGRAM_API_ID: '1',
      TELEGRAM_API_HASH: key,
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
      MEDIA_LINK_KEYS: Buffer.alloc(32).toString('base64'),
      CLUSTER_KEY: key,
      NODE_URL: 'http://10.0.0.1:3000',
    };
    // Each pod has its own.
    const ofPod = name === 'cluster' ? ['NODE_URL'] : [];
    const given = Object.fromEntries([...Object.keys(secrets), ...ofPod].map((secret) => [secret, filled[secret]]));
    const config = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data', ...settings, ...given });
    expect(config.eventStoreUrl.startsWith('sqlite:')).toBe(name === 'embedded');
    expect(config.cluster !== undefined).toBe(name === 'cluster');
    expect(config).toMatchObject({ apiKey: key, metricsToken: key, telegram: { kind: 'telegram' } });
    const known = parseEnv(read('.env.example')) as Record<string, string>;
    expect(Object.keys({ ...settings, ...secrets }).filter((variable) => !(variable in known))).toEqual([]);
  });

  it.each(['kurrentdb', 'cluster'])('[PK3.1] has more room for files in %s than the gateway takes', (name) => {
    const [, sizeLimit] = /sizeLimit: (\d+)Gi/.exec(overlay(name, 'data-folder.yaml')) ?? [];
    const settings = parseEnv(overlay(name, 'settings.env'));
    const taken = readConfig({ MEDIA_TEMP_BYTES: settings['MEDIA_TEMP_BYTES'] });
    // What is uploaded has half of it once more, at the most.
    const files = (taken.mediaTempBytes ?? Infinity) * 1.5 + taken.mediaCacheBytes;
    expect(Number(sizeLimit) * 2 ** 30).toBeGreaterThan(files);
  });

  it('[PK3.1] keeps the secrets out of the repository', () => {
    expect(read('.gitignore').split('\n')).toContain('/deploy/kubernetes/overlays/*/secrets.env');
  });

  it('[PK3.2] has the alerts of docs/grafana for the operator of Prometheus: npm run alerts writes them', async () => {
    const [, groups = ''] = /^(groups:$.*)/ms.exec(read('docs/grafana/alerts.yaml')) ?? [];
    const text = `# Written by npm run alerts from docs/grafana/alerts.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: telegram-gateway
  labels:
    app.kubernetes.io/name: telegram-gateway
spec:
${groups.replaceAll(/^(?=.)/gm, '  ')}`;
    expect((parse(text) as { spec: unknown }).spec).toEqual(parse(read('docs/grafana/alerts.yaml')));
    await expect(text).toMatchFileSnapshot('../../../deploy/kubernetes/monitoring/alerts.yaml');
  });
});

it('[PK3.2] docs/operating.md shows the scrape configuration of deploy/prometheus', () => {
  const [, sample = ''] = /^(scrape_configs:$.*)/ms.exec(read('deploy/prometheus/prometheus.yml')) ?? [];
  expect(read('docs/operating.md')).toContain(`\`\`\`yaml\n${sample}\`\`\``);
});

describe('what stands before and around the gateway', () => {
  const unit = read('deploy/systemd/telegram-gateway.service');
  const nginx = read('deploy/nginx/telegram-gateway.conf');
  const caddy = read('deploy/caddy/Caddyfile');
  /** How many seconds the gateway keeps an idle connection. */
  const [, keepAlive] = /^const keepAliveTimeoutMs = (\d+)_000;$/m.exec(read('src/http/app.ts')) ?? [];

  it('[PK3.3] the unit starts the gateway as the image does, and gives it the same time to end', () => {
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    const words = JSON.parse(command) as string[];
    const there = words.map((word) => (word.startsWith('dist/') ? `/opt/telegram-gateway/${word}` : word));
    expect(unit).toContain(`\nExecStart=/usr/bin/${there.join(' ')}\n`);
    expect(`${/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]}s`).toBe(compose.services.embedded.stop_grace_period);
  });

  it.each([
    ['nginx', nginx, /proxy_read_timeout (\d+)s;/, /keepalive_timeout (\d+)s;/],
    ['the balancer', read('deploy/nginx/balancer.conf'), /proxy_read_timeout (\d+)s;/, /keepalive_timeout (\d+)s;/],
    ['Caddy', caddy, /response_header_timeout (\d+)s/, /keepalive (\d+)s/],
  ])('[PK3.3] %s waits for the longest send, and gives connections up before the gateway does', (...sample) => {
    const [, text, timeout, idle] = sample;
    expect(Number(timeout.exec(text)?.[1])).toBeGreaterThan(240);
    expect(Number(idle.exec(text)?.[1])).toBeLessThan(Number(keepAlive));
  });
});
