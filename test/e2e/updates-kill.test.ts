import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram, type PreparedStart } from '../support/built-program.ts';
import { createSeededRandomness } from '../support/clock.ts';
import { type HttpClient, httpClient } from '../support/gateway.ts';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { type Delivery, faultsOf, readDeliveries } from './deliveries.ts';
import { addPerson, ann, chaos, loggedIn, own, pollMs, until, written } from './writing-people.ts';

const kills = 24;
/** So many fall on a gateway that is still starting, or catching up. */
const early = 0.3;
const longestStartMs = 400;
/** How far the others get at most: sends that are answered, and a moment more. */
const mostSends = 4;
const longestMomentMs = 60;
const people = 3;
/** What each phone writes from one kill to the next: a start may take long where a machine has much else to do. */
const textsALife = 12;
const timeoutMs = 600_000;

let program: BuiltProgram;
let sandbox: TestSandbox;
let folder: TemporaryFolder;
const running = new Set<PreparedStart>();

beforeAll(async () => {
  [program, sandbox, folder] = await Promise.all([buildProgram(), startTestSandbox(), createTemporaryFolder()]);
}, 120_000);
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
  await Promise.all([program?.remove(), sandbox?.close(), folder?.remove()]);
}, 60_000);

it(`[WH4] every message is recorded once and in order, over ${kills} kills at random moments`, {
  timeout: timeoutMs,
}, async () => {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 32);
  const random = createSeededRandomness(seed, { now: () => 0 });
  const chance = (): number => random.fraction();
  const others = await Promise.all(Array.from({ length: people }, (_, index) => addPerson(sandbox, index)));
  let gateway = prepare();
  let http: HttpClient | undefined = httpClient(await gateway.run());
  const headers = await loggedIn(sandbox, http);
  const webhook = { url: 'http://127.0.0.1:9/hook', token: 'token' };
  expect((await http.request('PUT', '/session/webhook', { headers, body: webhook })).status).toBe(200);

  const run = { isOver: false, lives: 1, sent: 0 };
  const phones = others.map(async (other, index) => {
    for (let count = 1; ; count += 1) {
      await until(() => count <= run.lives * textsALife || run.isOver);
      if (run.isOver) return;
      const [from, peer] = chance() < 0.3 ? [ann, other] : [other, ann];
      await sandbox.call('POST', `/accounts/${from}/messages`, { peer, text: `phone ${index} ${count}` });
      if (chance() < 0.05) await sandbox.call('POST', '/chaos', { ...chaos(chance()), userId: ann });
      if (chance() < 0.02) await sandbox.call('POST', '/network', { action: 'cut', userId: ann });
      await pause(chance() * 80);
    }
  });
  const sender = (async () => {
    for (let count = 1; !run.isOver; count += 1) {
      const body = { user: others[count % people], type: 'text', text: `${own} ${count}` };
      const answer = await http?.request('POST', '/message', { headers, body }).catch(() => undefined);
      if (answer?.status === 200) run.sent += 1;
      await pause(10 + chance() * 40);
    }
  })();
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const next = prepare();
      if (chance() < early) {
        await pause(chance() * longestStartMs);
      } else {
        const enough = run.sent + 1 + Math.floor(chance() * mostSends);
        await until(() => run.sent >= enough);
        await pause(chance() * longestMomentMs);
      }
      http = undefined;
      run.lives += 1;
      gateway.child.kill('SIGKILL');
      expect(await gateway.ended).toBeNull();
      running.delete(gateway);
      gateway = next;
      http = httpClient(await gateway.run());
    }
    run.isOver = true;
    await Promise.all([...phones, sender]);
    const deliveries = await settled(headers.id, others);
    expect(faultsOf(deliveries)).toEqual([]);
    for (const other of others)
      expect(received(deliveries, other).join('\n')).toBe((await written(sandbox, other)).join('\n'));
    // A test of nothing would pass as well.
    expect(deliveries.length).toBeGreaterThan(200);
    expect(run.sent).toBeGreaterThan(20);
  } catch (error) {
    throw new Error(`with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    run.isOver = true;
    await Promise.allSettled([...phones, sender]);
  }
});

function prepare(): PreparedStart {
  const prepared = program.prepare({ DATA_DIR: folder.path, TELEGRAM_SANDBOX_URL: sandbox.url });
  running.add(prepared);
  return prepared;
}

const received = (deliveries: readonly Delivery[], other: string): string[] =>
  deliveries
    .filter(({ type, content }) => type === 'MessageReceived' && content.user.id === other)
    .map(({ content: { message } }) => `${message.id} ${message.text}`);

/** What is recorded when as much is as has been written, or nothing comes any more. */
async function settled(sessionId: string, others: readonly string[]): Promise<Delivery[]> {
  const expected = (await Promise.all(others.map((other) => written(sandbox, other)))).flat().length;
  for (let tries = 0; ; tries += 1) {
    const deliveries = await readDeliveries({ dataDir: folder.path }, sessionId);
    const count = deliveries.filter(({ type }) => type === 'MessageReceived').length;
    if (count >= expected || tries > 500) return deliveries;
    await pause(pollMs);
  }
}
