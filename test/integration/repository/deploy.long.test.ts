import { spawnSync } from 'node:child_process';
import { appendFile, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { faultsOfObject, type KubernetesObject } from '../../support/repository/kubernetes-schema.ts';
import { programOf } from '../../support/repository/programs.ts';

function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  return { status, stdout, stderr };
}

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** A copy of a file that ships, in which some texts are replaced: paths of another machine. */
async function copyOf(file: string, replaced: Record<string, string> = {}): Promise<string> {
  const copy = join(folder.path, file.slice(file.lastIndexOf('/') + 1));
  let text = await readFile(file, 'utf8');
  for (const [from, to] of Object.entries(replaced)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  await writeFile(copy, text);
  return copy;
}

const kubectl = programOf('kubectl', 'kubernetes-client');
/** Components and lists of patches are of Kustomize 4, which came with kubectl 1.21. */
const hasKustomize = kubectl !== undefined && run(kubectl, ['kustomize', '--help']).stdout.includes('--enable-helm');
if (kubectl !== undefined && !hasKustomize) {
  process.stderr.write('kubectl is older than 1.21: deploy/kubernetes is not rendered\n');
}

describe.skipIf(!hasKustomize)('deploy/kubernetes', () => {
  /** The objects of an overlay, after the two steps that its first lines name. */
  async function render(overlay: string, { hasOperator = false } = {}): Promise<KubernetesObject[]> {
    const copy = join(folder.path, `${overlay}-${hasOperator}`);
    await cp('deploy/kubernetes', copy, { recursive: true });
    const path = join(copy, 'overlays', overlay);
    await copyFile(join(path, 'secrets.env.example'), join(path, 'secrets.env'));
    if (hasOperator) await appendFile(join(path, 'kustomization.yaml'), 'components:\n  - ../../monitoring\n');
    const { status, stdout, stderr } = run(kubectl ?? '', ['kustomize', path]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  }
  const kindsOf = (objects: readonly KubernetesObject[]): string[] => objects.map(({ kind }) => kind).toSorted();
  const base = ['ConfigMap', 'Secret', 'Service', 'ServiceAccount'];

  it.each([
    ['embedded', 'StatefulSet', { replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'data' } }] }, []],
    ['kurrentdb', 'Deployment', { replicas: 1, strategy: { type: 'Recreate' } }, []],
    [
      'cluster',
      'Deployment',
      { replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      ['PodDisruptionBudget'],
    ],
  ])('[PK3.1] renders %s as a %s that Kubernetes would take', async (overlay, kind, own, more) => {
    const objects = await render(overlay);
    expect(kindsOf(objects)).toEqual([...base, kind, ...more].toSorted());
    expect(objects.flatMap(faultsOfObject)).toEqual([]);
    const named = (name: string) => objects.find((object) => object.kind === name)?.metadata.name;
    const labels = { 'app.kubernetes.io/name': 'telegram-gateway' };
    expect(objects.find((object) => object.kind === kind)?.spec).toMatchObject({
      selector: { matchLabels: labels },
      ...own,
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: named('ServiceAccount'),
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              envFrom: [{ configMapRef: { name: named('ConfigMap') } }, { secretRef: { name: named('Secret') } }],
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [
                { name: 'data', mountPath: '/data' },
                { name: 'tmp', mountPath: '/tmp' },
              ],
            },
          ],
        },
      },
    });
    expect(objects.find((object) => object.kind === 'Service')?.spec).toMatchObject({ selector: labels });
  });

  it.each(['embedded', 'kurrentdb', 'cluster'])('[PK3.2] adds the scrape and the alerts to %s', async (overlay) => {
    const objects = await render(overlay, { hasOperator: true });
    expect(kindsOf(objects)).toEqual(expect.arrayContaining(['PrometheusRule', 'ServiceMonitor']));
    expect(objects.flatMap(faultsOfObject)).toEqual([]);
    const secret = objects.find(({ kind }) => kind === 'Secret');
    expect(objects.find(({ kind }) => kind === 'ServiceMonitor')?.spec).toMatchObject({
      endpoints: [{ path: '/metrics', authorization: { credentials: { name: secret?.metadata.name } } }],
    });
    expect(Object.keys(secret?.data ?? {})).toContain('METRICS_TOKEN');
  });

  it('[PK3.1] the schema finds a field that does not exist, a wrong type and one that is missing', async () => {
    const objects = await render('kurrentdb');
    const text = JSON.stringify(objects.find(({ kind }) => kind === 'Deployment'));
    const faulty = [
      ['"readinessProbe"', '"readynessProbe"'],
      ['"replicas":1', '"replicas":"one"'],
      ['"name":"gateway"', '"title":"gateway"'],
    ] as const;
    for (const [from, to] of faulty) {
      const changed = JSON.parse(text.replace(from, to)) as KubernetesObject;
      expect({ to, faults: faultsOfObject(changed).length > 0 }).toEqual({ to, faults: true });
    }
  });
});

const systemdAnalyze = programOf('systemd-analyze', 'systemd');
it.skipIf(systemdAnalyze === undefined)('[PK3.3] the unit is one that systemd takes, and hardened', async () => {
  const unit = await copyOf('deploy/systemd/telegram-gateway.service', { '/usr/bin/node': process.execPath });
  expect(run(systemdAnalyze ?? '', ['verify', unit])).toEqual({ status: 0, stdout: '', stderr: '' });
  // 0 is best, 100 is worst; a unit without any of this has 96.
  const security = run(systemdAnalyze ?? '', ['security', '--offline=yes', '--threshold=20', '--no-pager', unit]);
  expect(security.status).toBe(0);
});

const caddy = programOf('caddy', 'caddy');
it.skipIf(caddy === undefined)('[PK3.3] the Caddyfile is one that Caddy takes, in its own format', async () => {
  const file = await copyOf('deploy/caddy/Caddyfile');
  const home = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const { status, stderr } = run(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', file], home);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(run(caddy ?? '', ['fmt', file], home).stdout).toBe(await readFile(file, 'utf8'));
});

const nginx = programOf('nginx', 'nginx');
const openssl = programOf('openssl', 'openssl');
it.skipIf(nginx === undefined || openssl === undefined)(
  '[PK3.3] the samples for nginx are ones that nginx takes',
  async () => {
    const at = (name: string): string => join(folder.path, name);
    const request = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=gateway'];
    const made = run(openssl ?? '', ['req', '-x509', ...request, '-keyout', at('key.pem'), '-out', at('chain.pem')]);
    expect(made.status).toBe(0);
    await mkdir(at('nginx'));
    const sample = await copyOf('deploy/nginx/telegram-gateway.conf', {
      '/etc/ssl/gateway/fullchain.pem': at('chain.pem'),
      '/etc/ssl/gateway/privkey.pem': at('key.pem'),
    });
    // Names of other containers.
    const balancer = await copyOf('deploy/nginx/balancer.conf', {
      'gateway1:': '127.0.0.1:',
      'gateway2:': '127.0.0.2:',
      'gateway3:': '127.0.0.3:',
    });
    const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = buffers.map((name) => `${name}_temp_path ${at(`nginx/${name}`)};`).join(' ');
    const whole = `pid ${at('nginx/pid')}; error_log stderr; events {} http { ${paths} include ${sample}; include ${balancer}; }\n`;
    await writeFile(at('nginx.conf'), whole);
    const { status, stderr } = run(nginx ?? '', ['-t', '-p', at('nginx'), '-c', at('nginx.conf')]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).not.toContain('[warn]');
  },
);

const promtool = programOf('promtool', 'prometheus');
it.skipIf(promtool === undefined)(
  '[PK3.2] the sample for Prometheus, and the alerts, are ones that it takes',
  async () => {
    const paths = { '/etc/prometheus': folder.path };
    await writeFile(join(folder.path, 'gateway-token'), 'token\n');
    await copyFile('docs/grafana/alerts.yaml', join(folder.path, 'telegram-gateway-alerts.yaml'));
    const file = await copyOf('deploy/prometheus/prometheus.yml', paths);
    expect(run(promtool ?? '', ['check', 'config', file])).toMatchObject({ status: 0 });
  },
);
