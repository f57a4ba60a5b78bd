import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../actors/ports/log.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openKurrentStore } from '../../../src/store/events/kurrent/kurrent-store.ts';
import { replayStore } from '../../../src/store/tools/replay-store.ts';
import { Rig, type RigNode } from '../../support/cluster/rig.ts';
import { httpClient } from '../../support/gateway/gateway.ts';
import { logInAt } from '../../support/gateway/log-in.ts';
import { createSeededRandomness } from '../../support/kit/clock.ts';
import { startWebServer } from '../../support/kit/web-server.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';

/** `CLUSTER_ROUNDS=300` for the long run. */
const rounds = Number(process.env['CLUSTER_ROUNDS'] ?? 6);
const sessions = Number(process.env['CLUSTER_SESSIONS'] ?? 6);
const seed = Number(process.env['CLUSTER_SEED'] ?? Date.now() % 100_000);
const ann = '1001';
/** The sandbox lists up to 1,000 messages of a chat. */
const maxListed = 1_000;
const betweenSendsMs = Math.max(500, rounds * 50);
const minuteMs = 60_000;
const spells = ['kill', 'stand still', 'cut', 'end'] as const;

interface Person {
  userId: string;
  headers: { id: string; 'session-id': string };
  sent: string[];
  written: string[];
}

it(`[CL2.5] [CL3.4] [CL2.8] three gateways lose, double and disorder nothing in ${rounds} rounds of kills, pauses, cuts and ends`, {
  timeout: (rounds + 10) * 3 * minuteMs,
}, async () => {
  const random = createSeededRandomness(seed, systemClock);
  const told = new Map<string, string[]>();
  const ids = new Set<string>();
  const endpoint = await startWebServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { id } = JSON.parse(body) as { id: string };
      const [text, of = ''] = /written (\w+) \d+/.exec(body) ?? [];
      if (text !== undefined && !ids.has(id)) told.set(of, [...(told.get(of) ?? []), text]);
      ids.add(id);
      response.end();
    });
  });
  onTestFinished(() => endpoint.close());
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const rig = await Rig.open({ TELEGRAM_SANDBOX_URL: sandbox.url, ALLOW_PRIVATE_URLS: 'true' });
  onTestFinished(() => rig.close());
  const anyNode = (): RigNode => rig.nodes[Math.floor(random.fraction() * rig.nodes.length)] as RigNode;
  const refused: string[] = [];

  /** Asks one node after the other until one says yes. */
  const ask = async (
    method: string,
    path: string,
    options: { headers: Record<string, string>; body: unknown },
  ): Promise<void> => {
    for (;;) {
      try {
        const { url, version } = anyNode();
        const { status, body } = await httpClient(url).request(method, path, options);
        if (status >= 200 && status < 300) return;
        if (status === 404 || status === 400) refused.push(`version ${version}: ${status} ${JSON.stringify(body)}`);
      } catch {
        // It is dead, or stands still.
      }
      await pause(100);
    }
  };

  const people: Person[] = [];
  for (let number = 0; number < sessions; number += 1) {
    const { userId } = await sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: `P${number}`, dc: 2 });
    const headers = await logInAt(rig.nodes[number % 3]?.url ?? '', sandbox, userId);
    await ask('PUT', '/session/webhook', {
      headers,
      body: { url: endpoint.url, token: 'secret', events: ['message'] },
    });
    people.push({ userId, headers, sent: [], written: [] });
  }
  const life = { isOver: false };
  const lives = people.flatMap((person) => [
    (async () => {
      for (let number = 0; !life.isOver; number += 1) {
        const text = `sent ${person.userId} ${number}`;
        const headers = { ...person.headers, 'idempotency-key': text };
        await ask('POST', '/message', { headers, body: { user: ann, type: 'text', text } });
        person.sent.push(text);
        await pause(betweenSendsMs);
      }
    })(),
    (async () => {
      for (let number = 0; !life.isOver; number += 1) {
        const text = `written ${person.userId} ${number}`;
        await sandbox.call('POST', `/accounts/${ann}/messages`, { peer: person.userId, text });
        person.written.push(text);
        await pause(betweenSendsMs);
      }
    })(),
  ]);

  const takeovers: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const spell = spells[round % spells.length] as (typeof spells)[number];
    const node = anyNode();
    let mend: () => unknown = () => {};
    node.isWell = false;
    if (spell === 'kill' || spell === 'end') {
      const ended = rig.end(node, spell === 'kill' ? 'SIGKILL' : 'SIGTERM');
      mend = async () => {
        await ended;
        await rig.start(node);
      };
    } else if (spell === 'stand still') {
      node.running?.child.kill('SIGSTOP');
      mend = () => node.running?.child.kill('SIGCONT');
    } else {
      node.toStore.cut();
      mend = () => node.toStore.mend();
    }
    const ms = await rig.takenOver();
    takeovers.push(`${spell}: ${Math.round(ms)} ms`);
    await pause(random.fraction() * 5_000);
    await mend();
    node.isWell = true;
    await rig.takenOver();
  }
  life.isOver = true;
  await Promise.all(lives);
  process.stderr.write(`seed ${seed}; takeovers ${takeovers.join(', ')}\n`);

  for (const { userId, written } of people) {
    while ((told.get(userId) ?? []).length < written.length) await pause(100);
    expect(told.get(userId)).toEqual(written);
  }
  for (const { userId, sent } of people) {
    const path = `/accounts/${ann}/messages?peer=${userId}&limit=${maxListed}`;
    const messages = await sandbox.call<{ text: string }[]>('GET', path);
    const texts = messages.map(({ text }) => text).filter((text) => text.startsWith('sent'));
    expect(texts.toReversed()).toEqual(sent);
  }
  expect(refused).toEqual([]);
  expect(await sandbox.call('GET', '/stats')).toMatchObject({ duplicatedLogins: 0 });
  const store = openKurrentStore({
    url: rig.storeUrl,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
  });
  onTestFinished(() => store.close());
  const drifts: unknown[] = [];
  await replayStore({
    store,
    decoders: [],
    onDrift: (drift) => drifts.push(drift),
    onUnreadable: (one) => drifts.push(one),
  });
  expect(drifts).toEqual([]);
});
