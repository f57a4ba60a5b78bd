import { configDefaults, defineConfig } from 'vitest/config';

/** What `npm run mutate` runs (scripts/mutate.js): no long tests. All files of a run share a process. */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    include: ['test/{unit,integration,e2e}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
  },
});
