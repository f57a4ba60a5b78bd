import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { httpClient } from '../../support/gateway/gateway.ts';
import { createSessionAt } from '../../support/gateway/log-in.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';

/** Longer than every interval at which the process measures itself. */
const longMs = 8_000;

/** Takes connections of the gateway until it has no descriptor left, and keeps asking for more. */
function flood(url: string, count: number): Socket[] {
  const port = Number(new URL(url).port);
  return Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
}

it('[FA1.1] [FA1.2] a gateway without descriptors lives, and goes on when there are some again', async () => {
  const folder = await createTemporaryFolder();
  const sandbox = await startTestSandbox();
  const environment = { DATA_DIR: folder.path, TELEGRAM_SANDBOX_URL: sandbox.url, ALLOW_PRIVATE_URLS: 'true' };
  const program: Program = await startProgram(environment, 'ulimit -n 256');
  let hasEnded = false;
  program.child.once('exit', () => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    if (!hasEnded) await program.end('SIGKILL');
    await sandbox.close();
    await folder.remove();
  });
  const http = httpClient(program.url);
  const created = await createSessionAt(program.url);
  expect(created).toMatchObject({ status: 200 });
  expect((await fetch(`${program.url}/metrics`)).status).toBe(200);
  expect(program.output()).toMatch(/limit of open files is too low/);

  const sockets = flood(program.url, 600);
  await sleep(longMs);
  expect(readdirSync(`/proc/${program.child.pid}/fd`).length).toBeGreaterThan(250);
  // What needs descriptors fails, or waits; none of it ends the process.
  const headers = { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
  const attempts = Array.from({ length: 20 }, (_, index) =>
    fetch(`${program.url}${['/metrics', '/session', '/docs', '/console'][index % 4]}`, {
      headers,
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined),
  );
  await Promise.all(attempts);
  await sleep(longMs);
  expect(program.output()).not.toContain('uncaught exception');
  expect(hasEnded).toBe(false);

  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await http.request('GET', '/health/live')).status).toBe(200);
  expect((await http.request('GET', '/session', { headers })).status).toBe(200);
  expect((await http.request('POST', '/session')).status).toBe(200);
  expect(await program.end('SIGTERM')).toBe(0);
  hasEnded = true;
});
