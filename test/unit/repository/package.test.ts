import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gatewayVersion } from '../../../src/http/openapi/version.ts';

interface Package {
  version: string;
  files: string[];
  bin: Record<string, string>;
  scripts: Record<string, string>;
}
const text = (file: string): string => readFileSync(file, 'utf8');
const { version, files, bin, scripts } = JSON.parse(text('package.json')) as Package;

describe('the package', () => {
  it('has the version that the program tells', () => {
    expect(gatewayVersion).toBe(version);
  });

  it('[DO1.4] is released with its clients, under one version', () => {
    const folders = readdirSync('clients').filter((name) => existsSync(`clients/${name}/package.json`));
    expect(folders).toEqual(['chatwoot', 'n8n', 'typescript']);
    const versions = folders.map((name) => (JSON.parse(text(`clients/${name}/package.json`)) as Package).version);
    const [, python = ''] = /^VERSION = "(.*)"$/m.exec(text('clients/python/telegram_gateway/_settings.py')) ?? [];
    // Python writes 1.0.0-rc.1 as 1.0.0rc1.
    expect(new Set(versions)).toEqual(new Set([version]));
    expect(python).toBe(version.replace(/-([a-z]+)\.(\d+)$/, '$1$2'));
  });

  it('[DO1.4] has its version wherever its image is named, and its notes in the changelog', () => {
    const namers = ['docker-compose.yml', 'deploy/kubernetes/base/gateway.yaml', 'docs/deploying.md'];
    for (const file of namers) {
      const named = [...text(file).matchAll(/telegram-session-gateway[:-](\d[\w.-]*?)(?=\.tgz|[\s`]|$)/gm)];
      expect(named.length).toBeGreaterThan(0);
      expect(new Set(named.map(([, tag]) => tag))).toEqual(new Set([version]));
    }
    expect(text('Dockerfile')).toContain(`org.opencontainers.image.version=${version}`);
    const notes = (of: string): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, ['scripts/release-notes.js', of], { encoding: 'utf8' });
    expect(notes(version)).toMatchObject({ status: 0, stdout: expect.stringContaining('### Added') });
    expect(notes('9.9.9')).toMatchObject({ status: 1, stdout: '' });
  });

  it('holds the same compiled folders as the image, and its command', () => {
    const copied = [...text('Dockerfile').matchAll(/^COPY --from=build \S+ (dist\/\w+)$/gm)].map(
      ([, folder]) => folder,
    );
    expect(new Set(files)).toEqual(new Set(copied));
    for (const path of Object.values(bin)) expect(files.some((folder) => path.startsWith(`${folder}/`))).toBe(true);
  });

  it('[OP9.4] says that it is building, where no program reads it, before it starts anything', () => {
    const [first = '', ...others] = (scripts['build'] ?? '').split(' && ');
    expect(others.length).toBeGreaterThan(0);
    const { stdout, stderr } = spawnSync(process.execPath, first.split(' ').slice(1), { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'building…\n' });
    for (const name of ['start', 'sandbox', 'replay', 'export', 'tell', 'copy', 'backup', 'restore', 'check-setup']) {
      expect([name, scripts[name]?.startsWith('npm run --silent build && ')]).toEqual([name, true]);
    }
  });

  it('holds what is put beside the compiled code', () => {
    const [, list = ''] = /^const assets = \[(.+)\];$/m.exec(text('scripts/copy-assets.js')) ?? [];
    const assets = [...list.matchAll(/'(\w[\w/-]+)'/g)].map(([, path]) => `dist/${path}`);
    expect(assets.length).toBeGreaterThanOrEqual(4);
    expect(assets.filter((path) => !files.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
  });
});

describe.each(['ci', 'release'])('the workflow %s', (name) => {
  it('is YAML, has limits of time, and may only read unless a job says otherwise', () => {
    const workflow = parse(text(`.github/workflows/${name}.yml`)) as {
      permissions: object;
      jobs: Record<string, { 'timeout-minutes'?: number; steps: object[] }>;
    };
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      expect(job.steps.length).toBeGreaterThan(0);
    }
  });
});
