import { Command } from 'commander';
import { readEnvironment, readPort } from '../../config/config.ts';
import { printResult } from '../print-result.ts';

/** Less than the timeout of the health checks in Dockerfile and docker-compose.yml. */
const timeoutMs = 4_000;

/** For containers, whose images have no curl. */
export function healthCommand(): Command {
  return new Command('health')
    .description('ask the gateway on this machine whether it is ready; exit code 0 if so, 1 if not')
    .option('--json', 'print JSON without an answer too')
    .action(({ json = false }: { json?: boolean }) => checkHealth(json));
}

async function checkHealth(isJson: boolean): Promise<void> {
  try {
    const response = await fetch(`http://127.0.0.1:${readPort(readEnvironment())}/health/ready`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    process.stdout.write(`${await response.text()}\n`);
    process.exitCode = response.ok ? 0 : 1;
  } catch (error) {
    const reason = `no answer: ${error instanceof Error ? error.message : String(error)}`;
    printResult(isJson, { statusCode: 503, message: reason }, reason);
    process.exitCode = 1;
  }
}
