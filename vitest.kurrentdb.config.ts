import { defineConfig } from 'vitest/config';

/** What runs a second time, with the events on a KurrentDB server (docs/testing.md says why these). */
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    pool: 'forks',
    maxWorkers: '100%',
    // What is compiled once is kept for the next run, in node_modules.
    experimental: { fsModuleCache: true },
    isolate: false,
    env: { TEST_EVENT_STORE: 'kurrentdb' },
    include: [
      'test/e2e/{audit,inspector,operation,session,webhook}/*.test.ts',
      'test/e2e/message/idempotency.test.ts',
      'test/crash/{gateway,idempotency}-kills.long.test.ts',
    ],
    exclude: [
      // Long, and the store has no part in them or is their own.
      'test/e2e/{inspector,operation,session}/!(states|lost-logins|traces).long.test.ts',
    ],
  },
});
