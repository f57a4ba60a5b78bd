import { configDefaults, defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/kit/memory-folder.ts';

const long = 'test/**/*.long.test.ts';

/**
 * Two suites (docs/testing.md): `npm test` runs the projects `unit`, `gateway` and `sandbox`, `npm run test:long` the
 * project `long`. Where a project is not isolated, its files share a process and the modules that are loaded in it:
 * loading the Telegram library takes longer than most files' tests.
 */
export default defineConfig({
  test: {
    // Only for what hangs: on a machine of which others take most, everything takes ten times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: process.env['TEST_NODES'] === '2' ? ['test/support/cluster/skip-apart.ts'] : [],
    expect: { poll: { timeout: 600_000 } },
    pool: 'forks',
    // One process for each core: most of a test's time is computing.
    maxWorkers: '100%',
    // What is compiled once is kept for the next run, in node_modules.
    experimental: { fsModuleCache: true },
    reporters: ['default'],
    projects: [
      project('unit', ['test/unit/**/*.test.ts'], { isolate: false }),
      project('gateway', ['test/{integration,e2e,simulation}/**/*.test.ts'], {
        isolate: false,
        exclude: ['test/integration/sandbox/**'],
      }),
      // The clients of the sandbox are unmodified: a process has files of one project alone, so the gateway, which mends
      // some of them, is in none of theirs.
      project('sandbox', ['test/integration/sandbox/**/*.test.ts'], { isolate: false }),
      // Some of these compute for minutes when they have the machine to themselves.
      { extends: true, test: { name: 'long', include: [long], testTimeout: 3_600_000 } },
    ],
  },
});

interface ProjectOptions {
  isolate?: boolean;
  exclude?: string[];
}

function project(name: string, include: string[], { isolate = true, exclude = [] }: ProjectOptions = {}): object {
  return {
    extends: true,
    test: {
      name,
      include,
      isolate,
      exclude: [...configDefaults.exclude, long, ...exclude],
      globalSetup: 'test/support/kit/memory-folder.ts',
      env: memoryFolder === undefined ? {} : { TMPDIR: memoryFolder },
    },
  };
}
