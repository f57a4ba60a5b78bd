import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // One for each core: most of a test's time is its programs'.
    maxWorkers: '100%',
    reporters: ['default'],
  },
});
