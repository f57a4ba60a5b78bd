import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const sourcesFile = join(process.env['MUTATION_FOLDER'] ?? '', 'sources.json');
/** The code with its mutants, by the absolute path of the file. None is there if other tools read this file. */
const sources: Record<string, string> = existsSync(sourcesFile) ? JSON.parse(readFileSync(sourcesFile, 'utf8')) : {};

/** What `npm run mutate -- … --tests near` starts: one process, which loads everything once. */
export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id: string) => sources[id],
      configureVitest: ({ experimental_defineCacheKeyGenerator: cacheKey }) =>
        // Code with mutants is kept for no later run.
        cacheKey(({ id }) => (sources[id] === undefined ? undefined : false)),
    },
  ],
  test: {
    runner: join(import.meta.dirname, 'scripts/mutation/near/runner.js'),
    include: ['test/{unit,integration,e2e}/**/*.test.ts'],
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    experimental: { fsModuleCache: true },
  },
});
