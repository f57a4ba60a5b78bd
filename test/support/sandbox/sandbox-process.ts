import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { controlOf, type TestSandbox } from './sandbox.ts';

const program = fileURLToPath(new URL('../../../sandbox/cli.ts', import.meta.url));

/**
 * A sandbox in a process of its own, in memory, on free ports, without the rate limits: one that notices at once what comes,
 * however busy the test is.
 */
export async function startSandboxProcess(): Promise<TestSandbox> {
  const child = fork(program, [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0', SANDBOX_RATE_LIMITS: 'false' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    ...controlOf(url),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
