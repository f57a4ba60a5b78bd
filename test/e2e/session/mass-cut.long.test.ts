import { expect, it } from 'vitest';
import { ann, bob, type SessionBody } from '../../support/e2e/scene.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { controlOf, startLocalSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

const sessionCount = 300;
const loginsAtOnce = 50;
const comebackMs = 10_000;
const stepMs = 250;

it(`[SE8.2] ${sessionCount} sessions whose connections are all cut at once are all back within 10 s`, async () => {
  const clock = createDrivenClock({ startAt: Date.now() });
  // A token of a login must not run out while this machine is busy.
  const own = await startLocalSandbox({ clock });
  const sandbox = controlOf(own.url);
  const gateway = await startTestGateway({ sandbox: own, clock });

  /** QR codes are read elsewhere: here the phone knows every token that was handed out. */
  const scanAll = async (): Promise<void> => {
    const open = [...own.world.tables.tokens.values()].filter(
      ({ acceptedBy, used }) => acceptedBy === undefined && !used,
    );
    for (const { token } of open) {
      await sandbox.scan(`tg://login?token=${Buffer.from(token, 'hex').toString('base64url')}`, ann);
    }
  };
  const isConnected = (id: string): boolean => gateway.views.get(id)?.state === 'connected';
  /** No time passes meanwhile, but for the network between. */
  const settle = async (): Promise<void> => {
    await clock.advance(0);
    await sandbox.call('GET', '/stats');
  };

  try {
    const ids: string[] = [];
    const headersOf = new Map<string, Record<string, string>>();
    while (ids.length < sessionCount) {
      const created = await Promise.all(
        Array.from({ length: loginsAtOnce }, () => gateway.http.request<SessionBody>('POST', '/session')),
      );
      for (const { body } of created) {
        ids.push(body.id);
        headersOf.set(body.id, { id: body.id, 'session-id': body.sessionId });
      }
      while (!ids.every(isConnected)) {
        await scanAll();
        await settle();
      }
    }
    const revisions = new Map(ids.map((id) => [id, gateway.views.get(id)?.revision ?? 0]));
    const opened = await connections(sandbox);

    await sandbox.call('POST', '/network', { action: 'cut' });
    for (let passed = 0; passed < comebackMs; passed += stepMs) {
      await clock.advance(stepMs);
      await settle();
    }
    // Time stands still from here on: nobody gets another try.
    const sent = await Promise.all(ids.map((id, at) => send(gateway, headersOf.get(id) ?? {}, `back ${at}`)));

    expect(sent.filter((status) => status !== 200)).toEqual([]);
    expect(await connections(sandbox)).toBe(opened);
    const path = `/accounts/${bob}/messages?peer=${ann}&limit=1000`;
    const texts = (await sandbox.call<{ text: string }[]>('GET', path)).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('back ')).toSorted()).toEqual(
      ids.map((_, at) => `back ${at}`).toSorted(),
    );
    expect(ids.filter((id) => !isConnected(id))).toEqual([]);
    const appended = ids.map((id) => (gateway.views.get(id)?.revision ?? 0) - (revisions.get(id) ?? 0));
    expect(Math.max(...appended)).toBeLessThanOrEqual(2);
  } finally {
    await gateway.close();
    await own.close();
  }
});

async function connections(sandbox: Omit<TestSandbox, 'close'>): Promise<number> {
  return (await sandbox.call<{ connections: number }>('GET', '/stats')).connections;
}

async function send(gateway: TestGateway, headers: Record<string, string>, text: string): Promise<number> {
  const body = { username: 'bob', type: 'text', text };
  return (await gateway.http.request('POST', '/message', { headers, body })).status;
}
