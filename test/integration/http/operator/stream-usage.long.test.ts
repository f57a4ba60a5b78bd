import { expect, it } from 'vitest';
import { createAs, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';
import { StreamClient } from '../../../support/kit/stream-client.ts';

const on = useListeningApp();

it('[OS3.7] says once a second which sessions of the key are used, if it is asked to', async () => {
  await on.restart({ apiKey: ownerKey });
  const scopes = ['sessions:create', 'sessions:read'] as const;
  const acme = await issueKey(on.gate, scopes, { tenant: 'acme' });
  const other = await issueKey(on.gate, scopes, { tenant: 'other' });
  const { id } = await createAs(on.gate, acme);
  const { id: second } = await createAs(on.gate, acme);
  const { id: theirs } = await createAs(on.gate, other);
  const { usage, clock } = on.gate;
  const follow = async (query: string, many: number, act: () => Promise<unknown>): Promise<StreamClient> => {
    const client = new StreamClient(acme.headers);
    const reading = client.read(on.url, () => client.seen.length >= many, `/sessions/stream${query}`);
    while (!client.text.includes('retry')) await new Promise(setImmediate);
    await act();
    await reading;
    return client;
  };
  const use = async (...ids: string[]): Promise<void> => {
    for (const one of ids) usage.count(one, undefined, 'sent');
    await clock.advance(1_000);
  };

  const client = await follow('?usage=true', 3, async () => {
    await use(id, theirs, id);
    await use(theirs);
    await use(second, id);
    await createAs(on.gate, acme);
  });
  expect(client.seen).toEqual([
    { sessions: [id], count: 1, created: '2026-01-01T00:00:01.000Z' },
    { sessions: [second, id], count: 2, created: '2026-01-01T00:00:03.000Z' },
    expect.objectContaining({ state: 'qrPending' }),
  ]);
  expect(client.text).toMatch(/^id: \d+\nevent: UsageRecorded$/m);

  const without = await follow('', 1, async () => {
    await use(id);
    await createAs(on.gate, acme);
  });
  expect(without.text).not.toContain('UsageRecorded');
  // It goes on after an event of usage too.
  const last = /id: (\d+)\nevent: UsageRecorded/.exec(client.text)?.[1];
  const again = await follow(`?usage=true&after=${last}`, 2, async () => undefined);
  expect(again.seen[0]).toMatchObject({ sessions: [second, id] });
});

it('[OS3.7] names 100 sessions, and counts them all', async () => {
  const ids = Array.from({ length: 130 }, (_, index) => `s-${index}`);
  await on.gate.session();
  const client = new StreamClient({});
  const reading = client.read(on.url, () => client.seen.length > 0, '/sessions/stream?usage=true');
  while (!client.text.includes('retry')) await new Promise(setImmediate);
  for (const id of ids) on.gate.usage.count(id, undefined, 'delivered');
  await on.gate.clock.advance(1_000);
  await reading;
  expect(client.seen[0]).toMatchObject({ sessions: ids.slice(0, 100), count: 130 });
});
