import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSessions, goUpAndDown, masterKey, openWriteModel } from '../../../../bench/support/write-model.ts';
import { runCommandLine } from '../../../support/gateway/command-line.ts';
import { startTestGateway } from '../../../support/gateway/gateway.ts';
import { onKurrentDbAt } from '../../../support/gateway/kurrentdb-environment.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { startTestSandbox } from '../../../support/sandbox/sandbox.ts';
import { placeOn } from '../../../support/store/kurrent-place.ts';

/** CONTRIBUTING says how to try it with more. */
const sessionCount = Number(process.env['MOVED_SESSIONS'] ?? 200);
const rounds = Number(process.env['MOVED_ROUNDS'] ?? 8);
const timeoutMs = Math.max(600_000, sessionCount * rounds * 20);
/** Its creation and its login, and two events a round. */
const eventsOfSession = 2 + 2 * rounds;
const connectedAtOnce = 500;
/** So many only log in, and their callers ask for them: one that waits for a scan would be gone when much is moved. */
const askedFor = 20;

describe('a gateway that moves to KurrentDB', { timeout: timeoutMs }, () => {
  let folder: TemporaryFolder;
  let server: ChildProcess;
  let url = '';
  /** What the callers hold. */
  const callers: { id: string; 'session-id': string }[] = [];

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    const program = fileURLToPath(new URL('../../../support/kurrentdb-double/program.ts', import.meta.url));
    server = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (server.stdout !== null) url = String((await once(server.stdout, 'data'))[0]).trim();
    await live(folder.path);
  }, timeoutMs);

  afterAll(async () => {
    server.kill();
    await folder.remove();
  });

  /** The real write model: each session is created, logs in, and loses its connection now and then. */
  async function live(dataDir: string): Promise<void> {
    const model = openWriteModel(dataDir);
    await model.sessions.start();
    for (let index = 0; index < askedFor; index++) {
      const { id, sessionId } = await model.sessions.create({ name: `Known ${index}` });
      const account = { id: String(5000 + index), name: `Known ${index}`, username: '', phone: '' };
      await model.reports.get(id)?.({ type: 'LoggedIn', login: 1, account, picture: '' });
      callers.push({ id, 'session-id': sessionId });
    }
    for (let left = sessionCount - askedFor; left > 0; left -= connectedAtOnce) {
      await goUpAndDown(model, await connectSessions(model, Math.min(connectedAtOnce, left)), rounds);
    }
    await model.sessions.stop();
    await model.store.close();
  }

  it('[OP4.2] has every stream copied and compared', async () => {
    const from = `sqlite:${join(folder.path, 'events.db')}`;
    const { code, output } = await runCommandLine('copy', ['--from', from, '--to', url]);
    expect(output).toMatch(/copied now, every stream compared and the same \(/);
    expect(code).toBe(0);
  });

  it('[AD6.1] finds no drift in what has arrived', async () => {
    const { code, output } = await runCommandLine('replay', ['--store', url]);
    const events = (sessionCount - askedFor) * eventsOfSession + 2 * askedFor;
    const count = (number: number): string => number.toLocaleString('en-US');
    expect(output).toContain(`: ${count(events)} events of ${count(sessionCount)} sessions, no drift (`);
    expect(code).toBe(0);
  });

  it('[SE7.2] serves its sessions from there', async () => {
    const sandbox = await startTestSandbox();
    const gateway = await startTestGateway({
      sandbox,
      // It stands still: what is shown is what was moved, before Telegram has been asked anything.
      clock: createDrivenClock({ startAt: Date.now() }),
      environment: { ...onKurrentDbAt(placeOn({ url })), MASTER_KEY: masterKey.toString('hex') },
    });
    try {
      await gateway.started;
      expect((await gateway.http.request('GET', '/health/ready')).status).toBe(200);
      for (const headers of callers) {
        const { status, body } = await gateway.http.request('GET', '/session', { headers });
        expect([status, body]).toMatchObject([200, { id: headers.id, isConnected: false }]);
      }
    } finally {
      await gateway.close();
      await sandbox.close();
    }
  });
});
