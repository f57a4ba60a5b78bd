import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One for each core: most of a test's time is its programs'.
    maxWorkers: '100%',
    reporters: ['default'],
  },
});
