import { describe, expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { asOwner, createAs, type HeldKey, issueKey, ownerKey } from '../../../support/gateway/issue-key.ts';
import { useListeningApp } from '../../../support/inspector/listening-app.ts';
import { StreamClient } from '../../../support/kit/stream-client.ts';

/** Finding sessions among many, and following all of them. */

const on = useListeningApp();
const scopes = ['sessions:create', 'sessions:read', 'sessions:control'] as const;

async function open(): Promise<{ acme: HeldKey; other: HeldKey }> {
  await on.restart({ apiKey: ownerKey });
  return {
    acme: await issueKey(on.gate, scopes, { tenant: 'acme' }),
    other: await issueKey(on.gate, scopes, { tenant: 'other' }),
  };
}

async function create({ headers }: Pick<HeldKey, 'headers'>, body: object): Promise<string> {
  const created = await on.gate.call('POST', '/session', { headers, body });
  return String(created.body['id']);
}

describe('the list', () => {
  it('[OS3.1] finds sessions by their names, tenants and characters', async () => {
    const { acme, other } = await open();
    const berlin = await create(acme, { externalId: 'Customer-1', label: 'Berlin desk' });
    const bern = await create(acme, { externalId: 'customer-2', label: 'BERN desk' });
    const theirs = await create(other, { externalId: 'Customer-1', label: 'Ärzte' });
    const none = await create({ headers: asOwner }, {});
    const found = async (query: string, headers: Record<string, string> = asOwner): Promise<string[]> => {
      const { body } = await on.gate.call('GET', `/sessions?${query}`, { headers });
      return (body['docs'] as { id: string }[]).map(({ id }) => id);
    };
    expect(await found('externalId=Customer-1')).toEqual([berlin, theirs]);
    expect(await found('externalId=customer-1')).toEqual([]);
    expect(await found('label=BERN%20desk')).toEqual([bern]);
    expect(await found('tenant=acme')).toEqual([berlin, bern]);
    expect(await found('tenant=acme&externalId=Customer-1&state=qrPending')).toEqual([berlin]);
    expect(await found('q=BER')).toEqual([berlin, bern]);
    expect(await found('q=%C3%84RZ')).toEqual([theirs]);
    expect(await found('q=customer-')).toEqual([berlin, bern, theirs]);
    expect(await found(`q=${none.slice(-12).toUpperCase()}`)).toEqual([none]);
    expect(await found("q=%25'--")).toEqual([]);
    expect(await found('q=&label=&tenant=')).toEqual([berlin, bern, theirs, none]);
    expect(await found('q=customer&limit=1')).toEqual([berlin]);
    expect(await found(`q=customer&limit=1&after=${berlin}`)).toEqual([bern]);

    expect(await found('externalId=Customer-1', acme.headers)).toEqual([berlin]);
    expect(await found('tenant=other', acme.headers)).toEqual([]);
    await on.gate.call('PATCH', `/sessions/${berlin}`, { headers: asOwner, body: { externalId: '', label: 'Rome' } });
    expect(await found('externalId=Customer-1')).toEqual([theirs]);
    expect(await found('q=rome')).toEqual([berlin]);
    await on.gate.call('DELETE', `/sessions/${berlin}`, { headers: asOwner });
    expect(await found('q=rome')).toEqual([]);
    expect(await found('q=rome&state=any')).toEqual([berlin]);
  });
});

describe('the order of the list', () => {
  it('[OS3.4] sorts by creation or by the last change, either way, over pages', async () => {
    await open();
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push(await create({ headers: asOwner }, {}));
      await on.gate.clock.advance(1_000);
    }
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = made;
    await on.gate.links.of(second).report(linkFact('LoggedIn', 1));
    await on.gate.clock.advance(1_000);
    await on.gate.call('DELETE', `/sessions/${fourth}`, { headers: asOwner });
    const paged = async (query: string): Promise<string[]> => {
      const ids: string[] = [];
      let after = '';
      do {
        const { body } = await on.gate.call('GET', `/sessions?${query}&limit=2&after=${after}`, { headers: asOwner });
        ids.push(...(body['docs'] as { id: string }[]).map(({ id }) => id));
        after = String(body['after']);
      } while (after !== '');
      return ids;
    };
    expect(await paged('sort=created')).toEqual([first, second, third, fifth]);
    expect(await paged('sort=-created')).toEqual([fifth, third, second, first]);
    expect(await paged('sort=since')).toEqual([first, third, fifth, second]);
    expect(await paged('sort=-since')).toEqual([second, fifth, third, first]);
    expect(await paged('sort=-since&state=any')).toEqual([fourth, second, fifth, third, first]);
    expect(await paged('sort=-since&state=qrPending')).toEqual([fifth, third, first]);
    const { status, body } = await on.gate.call('GET', `/sessions?sort=since&after=${first}`, { headers: asOwner });
    expect([status, body['message']]).toEqual([400, 'after must be that of a page in the same order']);
  });
});

describe('the stream of all sessions', () => {
  /** What the stream shows to a key until there are so many events. */
  async function follow(
    client: StreamClient,
    many: number,
    act: () => Promise<unknown> = async () => undefined,
    query = '',
  ): Promise<unknown[]> {
    const reading = client.read(on.url, () => client.seen.length >= many, `/sessions/stream${query}`);
    while (!client.text.includes('retry')) await new Promise(setImmediate);
    await act();
    await reading;
    return client.seen;
  }

  it('[OS3.2] shows a key what changes in the sessions of its tenant, in short', async () => {
    const { acme, other } = await open();
    const before = await create(acme, { externalId: 'c-1', label: 'Berlin', name: 'n4me' });
    const client = new StreamClient(acme.headers);
    const session = { id: before, externalId: 'c-1', label: 'Berlin' };
    const seen = await follow(client, 4, async () => {
      await on.gate.clock.advance(1);
      await create(other, { externalId: 'c-2' });
      await on.gate.links.of(before).report({ type: 'QrIssued', login: 1, link: 'tg://login?token=x', expires: 9 });
      await on.gate.links.of(before).report(linkFact('LoggedIn', 1));
      await on.gate.call('PATCH', `/sessions/${before}`, { headers: asOwner, body: { label: 'Bern' } });
      await createAs(on.gate, acme);
      await on.gate.call('DELETE', `/sessions/${before}`, { headers: asOwner });
    });
    expect(seen).toMatchObject([
      { ...session, seq: 3, state: 'connected', reason: 'logged-in' },
      { ...session, seq: 4, state: 'connected', label: 'Bern' },
      { seq: 1, state: 'qrPending', reason: 'created', externalId: '', label: '' },
      { ...session, seq: 5, state: 'deleted', reason: 'user', label: 'Bern' },
    ]);
    expect(Object.keys(seen[0] as object)).toEqual(['id', 'seq', 'state', 'reason', 'externalId', 'label', 'created']);
    expect(client.text).toMatch(/^id: \d+\nevent: LoggedIn\ndata: /m);
    expect(client.text).not.toContain('n4me');
  });

  it('[OS3.2] shows every event if asked to, with its time, and nothing secret', async () => {
    const { acme, other } = await open();
    const id = await create(acme, {});
    const client = new StreamClient(acme.headers);
    const act = async (): Promise<void> => {
      await on.gate.clock.advance(1_500);
      await on.gate.links.of(await create(other, {})).report(linkFact('LoggedIn', 1));
      await on.gate.links.of(id).report({ type: 'QrIssued', login: 1, link: 'tg://login?token=x', expires: 9 });
      await on.gate.links.of(id).report(linkFact('LoggedIn', 1));
    };
    const seen = await follow(client, 2, act, '?events=all');
    const session = { id, externalId: '', label: '', created: '2026-01-01T00:00:01.500Z' };
    expect(seen).toEqual([
      { ...session, seq: 2, state: 'qrPending', reason: 'created' },
      { ...session, seq: 3, state: 'connected', reason: 'logged-in' },
    ]);
    expect(client.text).toMatch(/^event: QrIssued$/m);
    expect(client.text).not.toContain('tg://');
  });

  it('[OS3.2] goes on after the last event that was seen, and shows each once', async () => {
    const { acme } = await open();
    const client = new StreamClient(acme.headers);
    const ids: string[] = [];
    for (let round = 1; round <= 10; round += 1) {
      await follow(client, client.seen.length + 1, async () => ids.push(await create(acme, {})));
      // While nothing follows.
      ids.push(await create(acme, {}));
    }
    await follow(client, 20);
    expect((client.seen as unknown as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  it('[OS3.2] begins at no other place than one of its own', async () => {
    const { acme } = await open();
    for (const place of ['x', '-1', '1.5', '9'.repeat(20)]) {
      expect(await on.gate.call('GET', `/sessions/stream?after=${place}`, { headers: acme.headers })).toMatchObject({
        status: 400,
        body: { message: 'after must be the id of an event of this stream' },
      });
    }
  });
});
