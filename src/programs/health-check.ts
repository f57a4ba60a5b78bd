import { readEnvironment, readPort } from '../config/config.ts';

/** Shorter than whoever asks waits for us. */
const timeoutMs = 4_000;

/** Asks the gateway of this machine whether it is ready: for containers, whose images have no curl. Exit code 0 or 1. */
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
