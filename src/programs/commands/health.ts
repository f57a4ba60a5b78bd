import { Command } from 'commander';
import { readEnvironment, readPort } from '../../config/config.ts';

/** Less than the timeout of the health checks in Dockerfile and docker-compose.yml. */
const timeoutMs = 4_000;

/** For containers, whose images have no curl. */
export function healthCommand(): Command {
  return new Command('health')
    .description('ask the gateway on this machine whether it is ready; exit code 0 if so, 1 if not')
    .action(checkHealth);
}

async function checkHealth(): Promise<void> {
  try {
    const response = await fetch(`http://127.0.0.1:${readPort(readEnvironment())}/health/ready`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    process.stdout.write(`${await response.text()}\n`);
    process.exitCode = response.ok ? 0 : 1;
  } catch (error) {
    process.stdout.write(`no answer: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
