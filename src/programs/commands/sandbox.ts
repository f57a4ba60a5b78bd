import { once } from 'node:events';
import { Command } from 'commander';
import { forkSandbox } from '../../compose/sandbox-process.ts';
import { printResult } from '../print-result.ts';

interface SandboxOptions {
  port: string;
  dcPort: string;
  data?: string;
  json?: boolean;
}

export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('run a Telegram of its own on this machine, for tests: set TELEGRAM_SANDBOX_URL to its address')
    .option('--port <number>', 'of the phone page and the control API', '4400')
    .option('--dc-port <number>', 'of the first data centre; the others follow', '4430')
    .option('--data <folder>', 'where it keeps logins and messages (default: in memory)')
    .option('--json', 'print the address of its phone page as a line of JSON')
    .action(async ({ port, dcPort, data, json = false }: SandboxOptions) => {
      const child = forkSandbox(
        { SANDBOX_PORT: port, SANDBOX_DC_PORT: dcPort, ...(data && { SANDBOX_DATA: data }) },
        json ? { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] } : {},
      );
      if (json) child.once('message', (started) => printResult(true, Object(started) as object, ''));
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
      const [code] = (await once(child, 'exit')) as [number | null];
      process.exit(code ?? 0);
    });
}
