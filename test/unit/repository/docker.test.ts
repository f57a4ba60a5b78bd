import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image: string;
  profiles: string[];
  user?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  networks?: unknown;
  depends_on?: Record<string, unknown> | string[];
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: string | number;
  pids_limit?: number;
  logging?: { driver: string; options: Record<string, string> };
  command?: string[];
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as ComposeFile;
const dockerfile = read('Dockerfile');
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('telegram-session-gateway:'));
const gateways = ours.filter(([, { environment }]) => environment !== undefined);
/** Every setting that the gateway reads. */
const settings = new Set([...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
/** Settings that may come from a file. */
const secrets = ['API_KEY', 'CLUSTER_KEY', 'METRICS_TOKEN', 'MASTER_KEY', 'MEDIA_LINK_KEYS', 'TELEGRAM_API_HASH'];
for (const name of secrets) settings.add(`${name}_FILE`);
/** What OpenTelemetry's packages read by themselves. */
const otelSettings = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'];
for (const name of otelSettings) settings.add(name);
/** What a service of the compose file decides by itself, or what a container has no use for. */
const decided: ReadonlySet<string> = new Set([
  'HOST',
  'PORT',
  'DATA_DIR',
  'EVENT_STORE_URL',
  'NODE_URL',
  'TELEGRAM_SANDBOX_URL',
  'SANDBOX_PORT',
  'SANDBOX_DC_PORT',
  'FFMPEG_PATH',
  'FFPROBE_PATH',
]);

const inProfile = (profile: string): [string, Service][] =>
  services.filter(([, { profiles }]) => profiles.includes(profile));

describe('docker-compose.yml', () => {
  it('has a gateway and its store for production, for trying it and for a cluster of three', () => {
    expect(inProfile('production').map(([name]) => name)).toEqual(['gateway', 'kurrentdb']);
    expect(inProfile('embedded').map(([name]) => name)).toEqual(['embedded']);
    expect(inProfile('sandbox').map(([name]) => name)).toEqual(['sandbox', 'phone']);
    expect(inProfile('cluster').map(([name]) => name)).toEqual([
      'gateway1',
      'gateway2',
      'gateway3',
      'balancer',
      'certificates',
      'kurrentdb1',
      'kurrentdb2',
      'kurrentdb3',
    ]);
    expect(services.every(([, { profiles }]) => profiles.length === 1)).toBe(true);
  });

  it.each(services)('pins the version of %s', (_name, { image }) => {
    expect(image).toMatch(/:\d+\.\d+\.\d+(?:-rc\.\d+)?$/);
  });

  it.each(services.filter(([name]) => name !== 'certificates'))('checks the health of %s', (_name, service) => {
    expect(service.healthcheck?.test.length).toBeGreaterThan(1);
    // YAML is quick to take a text for something else.
    expect(service.healthcheck?.test.filter((part) => typeof part !== 'string')).toEqual([]);
    expect(service.healthcheck).toMatchObject({ interval: expect.any(String), retries: expect.any(Number) });
  });

  it.each(ours)('gives %s nothing that it does not need', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(JSON.stringify(service.healthcheck)).not.toContain('curl');
  });

  it.each(services)('[PK3.4] bounds the memory, the cores, the processes and the log of %s', (name, service) => {
    const isSmall = ['phone', 'certificates', 'balancer'].includes(name);
    const variable = name.startsWith('kurrentdb') ? 'KURRENTDB_CPUS' : 'GATEWAY_CPUS';
    expect(service.cpus).toBe(isSmall ? 0.5 : `\${${variable}:-0}`);
    expect(service.mem_limit).toMatch(/^\d+[gm]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
  });

  it.each(['gateway', 'gateway1', 'gateway2', 'gateway3', 'embedded'])(
    '[OP1.4] lets %s read its secrets from files',
    (name) => {
      const { environment = {}, volumes } = compose.services[name] ?? {};
      for (const secret of secrets) expect(environment[`${secret}_FILE`]).toBe(`\${${secret}_FILE:-}`);
      expect(volumes).toContain('./secrets:/run/secrets:ro');
    },
  );

  it('knows no password by itself, and starts no cluster without one', () => {
    expect(text).not.toContain('changeit');
    const script = compose.services['certificates']?.command?.at(-1) ?? '';
    const check = script.split('\n').find((line) => line.includes('test -n')) ?? 'false';
    const run = (password: string) =>
      spawnSync('sh', ['-c', check.replaceAll('$$', '$')], {
        env: { KURRENTDB_ADMIN_PASSWORD: password },
        encoding: 'utf8',
      });
    expect(run('')).toMatchObject({ status: 1, stderr: 'KURRENTDB_ADMIN_PASSWORD must be set in .env\n' });
    expect(run('x').status).toBe(0);
    for (const number of [1, 2, 3]) {
      const { depends_on: before } = compose.services[`kurrentdb${number}`] ?? {};
      expect(before).toEqual({ certificates: { condition: 'service_completed_successfully' } });
    }
  });

  it.each(['gateway', 'gateway1', 'gateway2', 'gateway3', 'embedded'])(
    '[OP1.1] passes every setting on to %s',
    (name) => {
      const { environment = {} } = compose.services[name] ?? {};
      const missing = [...settings].filter((setting) => !decided.has(setting) && !(setting in environment));
      expect(missing).toEqual([]);
      // An empty value is the gateway's own default: no second list of defaults to keep.
      const others = Object.entries(environment).filter(([setting]) => !decided.has(setting));
      expect(others.filter(([setting, value]) => value !== `\${${setting}:-}`)).toEqual([]);
    },
  );

  it.each(gateways)('sets only what the configuration knows in %s', (_name, { environment = {}, volumes }) => {
    expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
    expect(environment['DATA_DIR']).toBe('/data');
    expect(volumes?.some((volume) => /^[a-z\d-]+:\/data$/.test(volume))).toBe(true);
  });

  it('takes nothing from the surroundings but settings, each of which may be missing', () => {
    const asked = [...text.matchAll(/(?<!\$)\$\{?([A-Z_]+)(:-)?/g)].map(([, name = '', fallback]) => ({
      name,
      fallback,
    }));
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter(({ fallback }) => fallback === undefined)).toEqual([]);
    const others = asked.map(({ name }) => name).filter((name) => !settings.has(name));
    expect(new Set(others)).toEqual(new Set(['KURRENTDB_ADMIN_PASSWORD', 'GATEWAY_CPUS', 'KURRENTDB_CPUS']));
  });

  it('needs no credentials for the sandbox', () => {
    expect(compose.services['sandbox']?.environment).toEqual({
      HOST: '0.0.0.0',
      DATA_DIR: '/data',
      ALLOW_OPEN: 'true',
    });
  });

  it('publishes ports on loopback alone', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(3);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('declares every volume, network and service that it names', () => {
    const volumes = services
      .flatMap(([, service]) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((volume) => !volume.startsWith('./'));
    expect([...new Set(volumes)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    for (const [, { depends_on: before = [], profiles }] of services) {
      for (const name of Array.isArray(before) ? before : Object.keys(before)) {
        expect(compose.services[name]?.profiles).toEqual(profiles);
      }
    }
  });

  it('keeps what KurrentDB holds, and lets every node know the two others', () => {
    const nodes = services.filter(([, { image }]) => image.includes('kurrentdb'));
    expect(nodes).toHaveLength(4);
    const data = nodes.map(([, { volumes = [] }]) => volumes.find((volume) => volume.endsWith(':/var/lib/kurrentdb')));
    expect(new Set(data).size).toBe(4);
    expect(data).not.toContain(undefined);
    const cluster = nodes.filter(([, { profiles }]) => profiles.includes('cluster'));
    const addresses = cluster.map(([, { environment }]) => environment?.['KURRENTDB_REPLICATION_IP'] ?? '');
    for (const [index, [, { environment = {}, networks }]] of cluster.entries()) {
      const others = addresses.filter((_, other) => other !== index).map((address) => `${address}:2113`);
      expect(environment['KURRENTDB_GOSSIP_SEED']).toBe(others.join(','));
      expect(networks).toEqual({ cluster: { ipv4_address: addresses[index] } });
      expect(environment['KURRENTDB_CERTIFICATE_FILE']).toBe(`/etc/kurrentdb/certs/node${index + 1}/node.crt`);
    }
  });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dockerCompose = (...args: string[]) => spawnSync('docker', ['compose', ...args], { cwd: root, encoding: 'utf8' });

it.skipIf(dockerCompose('version').status !== 0)('docker-compose.yml is what Docker Compose itself accepts', () => {
  for (const profile of ['embedded', 'production', 'sandbox', 'cluster']) {
    const { status, stderr } = dockerCompose('--profile', profile, 'config', '--quiet');
    expect({ profile, status, stderr }).toMatchObject({ status: 0 });
  }
});

describe('Dockerfile', () => {
  it('[PK3.4] pins one Node 24 by its digest, and runs as nobody', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:24\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}$/);
    const users = [...dockerfile.matchAll(/^USER (\d+):(\d+)$/gm)].map(([, user]) => Number(user));
    expect(users).toEqual([10_001]);
    expect(
      dockerfile.trimEnd().endsWith('CMD ["node", "--max-semi-space-size=32", "dist/src/programs/cli.js", "start"]'),
    ).toBe(true);
  });

  it('says which version it is, as docker-compose.yml and package.json do', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(dockerfile).toContain(`org.opencontainers.image.version=${version}\n`);
    expect(read('docker-compose.yml')).toContain(`image: telegram-session-gateway:${version}\n`);
  });

  it("has Debian's FFmpeg, and not the old one that comes along", () => {
    const stages = dockerfile.split(/^FROM /m);
    expect(stages.at(-1)).toMatch(/^RUN apt-get update && apt-get install --yes --no-install-recommends ffmpeg /m);
    expect(stages.at(-2)).toMatch(/^RUN rm -r node_modules\/@ffmpeg-installer node_modules\/@ffprobe-installer$/m);
    expect(dockerfile).not.toContain('--omit=optional');
  });

  it('leaves out of its context what no build reads', () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('**');
    for (const secret of ['data', 'dist', 'node_modules', '.env', '.git']) expect(lines).not.toContain(`!${secret}`);
    const copied = [...dockerfile.matchAll(/^COPY ((?:[\w.-]+ )+)\.\/$/gm)].flatMap(([, files = '']) =>
      files.trim().split(' '),
    );
    expect(copied.length).toBeGreaterThan(2);
    for (const file of copied) expect(lines).toContain(`!${file}`);
  });
});
