import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { issueKey } from '../../../support/gateway/issue-key.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';

/** What a node shows of sessions that another one owns. */

let nodes: TwoNodes;
let headers: SessionHeaders;

beforeEach(async () => {
  nodes = await openTwoNodes();
});

const readAt = (url: string, path: string, more: Record<string, string> = { ...headers }): Promise<Response> =>
  fetch(`${url}${path}`, { headers: more });

describe('a view', () => {
  beforeEach(async () => {
    headers = await nodes.one.gate.session({ label: 'desk' });
  });

  it('[CL5.5] is answered by any node, as lists, statistics, audits and the log are', async () => {
    const paths = [
      '/session',
      '/session/events',
      '/session/replay',
      '/session/sends',
      '/sessions',
      `/sessions/${headers.id}`,
      `/sessions/${headers.id}/events`,
      '/sessions/stats',
      '/usage',
      '/nodes',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await readAt(nodes.two.url, path)).status));
    expect(statuses).toEqual(paths.map(() => 200));
    expect([nodes.one.outcomes, nodes.two.outcomes]).toEqual([[], []]);
  });

  it('[CL5.5] that only the owner has is asked for there', async () => {
    nodes.one.gate.reconnecting.set(headers.id, { attempts: 3, reason: 'unreachable', nextAt: undefined });
    await nodes.one.gate.connect(headers);
    expect((await readAt(nodes.two.url, `/sessions/${headers.id}/connection`)).status).toBe(200);
    expect(nodes.two.outcomes).toEqual(['answered']);
  });
});

describe('a list', () => {
  const heldAt = async (url: string): Promise<unknown[]> => {
    const { docs } = (await (await readAt(url, '/sessions', {})).json()) as { docs: { id: string; held: boolean }[] };
    return docs.filter(({ held }) => held).map(({ id }) => id);
  };

  const sessionOfTwo = (): Promise<SessionHeaders> => {
    nodes.owners.set(externalKey('desk'), 'two');
    return nodes.two.gate.session({ externalId: 'desk' });
  };

  it('[CL5.23] says of the sessions of other nodes, too, whether they are held', async () => {
    const ofOne = await nodes.one.gate.session();
    const ofTwo = await sessionOfTwo();
    expect([await heldAt(nodes.one.url), await heldAt(nodes.two.url)]).toEqual([[], []]);
    nodes.one.gate.sessions.hold(ofOne.id);
    nodes.two.gate.sessions.hold(ofTwo.id);
    for (const { url } of [nodes.one, nodes.two]) {
      expect(await heldAt(url)).toEqual([ofOne.id, ofTwo.id]);
      for (const { id } of [ofOne, ofTwo])
        expect(await (await readAt(url, `/sessions/${id}`, {})).json()).toMatchObject({ id, held: true, deadline: '' });
    }
  });

  it('[CL5.23] is answered without a node that says nothing', async () => {
    const ofTwo = await sessionOfTwo();
    nodes.two.gate.sessions.hold(ofTwo.id);
    expect(await heldAt(nodes.one.url)).toEqual([ofTwo.id]);
    nodes.two.gate.app.server.closeAllConnections();
    await nodes.two.gate.app.close();
    expect(await heldAt(nodes.one.url)).toEqual([]);
  });
});

describe('a session that a node has not seen', () => {
  /** The second node hears of nothing more, and the first does not wait for it. */
  const holdTwo = (): void => {
    nodes.two.store.hold();
    Object.assign(nodes.one.hops, { seen: { waitFor: async () => {} } });
  };
  const unseenSession = (): Promise<SessionHeaders> => {
    holdTwo();
    return nodes.one.gate.session();
  };
  /** The headers of a session whose secret is another one since the second node has heard of it. */
  const unseenSecret = async (): Promise<Record<string, string>> => {
    const { id } = await nodes.one.gate.session();
    holdTwo();
    const { body } = await nodes.one.gate.call('POST', `/sessions/${id}/secret`);
    return { id, 'session-id': String(body['sessionId']) };
  };

  it('[CL5.5] is looked up in the store, and awaited', async () => {
    headers = await unseenSession();
    const answers = Promise.all([
      readAt(nodes.two.url, '/session'),
      readAt(nodes.two.url, `/sessions/${headers.id}`),
      readAt(nodes.two.url, '/session/pace'),
    ]);
    await settleNetwork();
    nodes.two.store.release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('[CL5.5] is looked up for a key as well', async () => {
    const { key } = await issueKey(nodes.one.gate, ['accounts']);
    const { id } = await unseenSession();
    const answer = readAt(nodes.two.url, '/session', { id, 'x-api-key': key });
    await settleNetwork();
    nodes.two.store.release();
    expect((await answer).status).toBe(200);
  });

  it('[CL5.5] is to be asked for again after a second, and is not 404', async () => {
    headers = await unseenSession();
    const answers = [readAt(nodes.two.url, '/session'), readAt(nodes.two.url, `/sessions/${headers.id}`)];
    await settleNetwork();
    await nodes.clock.advance(1_000);
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '2']);
      expect(await answer.json()).toMatchObject({ message: 'session not found' });
    }
  });

  it('[CL5.5] is to be asked for again where too many are looked up at a time', async () => {
    headers = await unseenSession();
    const answers = Array.from({ length: 40 }, () => readAt(nodes.two.url, '/session'));
    await settleNetwork();
    nodes.two.store.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
  });

  it('[CL5.5] has a secret that may be newer than the view: it is to be asked for again', async () => {
    const answer = readAt(nodes.two.url, '/session', await unseenSecret());
    await settleNetwork();
    await nodes.clock.advance(1_000);
    expect((await answer).status).toBe(500);
  });

  it('[CL5.5] is 404 at once if the store has none', async () => {
    headers = { id: '01900000-0000-7000-8000-000000000000', 'session-id': 'x' };
    expect((await readAt(nodes.two.url, '/session')).status).toBe(404);
    expect((await readAt(nodes.two.url, `/sessions/${headers.id}`)).status).toBe(404);
  });

  it('[CL5.5] is 503 while the store is away, and not 404', async () => {
    headers = await unseenSession();
    const last = (): Promise<never> => Promise.reject(new StoreUnavailableError('the store did not answer'));
    Object.assign(nodes.two.store, { last });
    const statuses = [readAt(nodes.two.url, '/session'), readAt(nodes.two.url, `/sessions/${headers.id}`)];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([503, 503]);
    nodes.two.store.release();
    await settleNetwork();
    expect((await readAt(nodes.two.url, '/session')).status).toBe(200);
  });

  it('[CL5.5] has its new secret looked up too', async () => {
    const answer = readAt(nodes.two.url, '/session', await unseenSecret());
    await settleNetwork();
    nodes.two.store.release();
    expect((await answer).status).toBe(200);
  });
});

describe('one’s own writes', () => {
  it('[CL5.6] are read through another node', async () => {
    nodes.two.store.hold();
    const creation = nodes.one.gate.session({ label: 'desk' });
    await settleNetwork();
    nodes.two.store.release();
    headers = await creation;
    // Nothing of it has to be looked up any more.
    nodes.two.store.last = () => Promise.reject(new Error('nobody looks it up'));
    expect((await readAt(nodes.two.url, '/session')).status).toBe(200);
  });

  it('[CL5.6] are not waited for longer than a second, and then not until the node is heard again', async () => {
    nodes.two.store.hold();
    const creation = nodes.one.gate.session();
    let isAnswered = false;
    void creation.then(() => {
      isAnswered = true;
    });
    await settleNetwork();
    expect(isAnswered).toBe(false);
    await nodes.clock.advance(1_000);
    await creation;
    nodes.two.cluster.heardOfMsAgo = 500;
    headers = await nodes.one.gate.session();
    // It was heard of after it had failed.
    nodes.two.cluster.heardOfMsAgo = 0;
    await nodes.clock.advance(10);
    const next = nodes.one.gate.session();
    await settleNetwork();
    await nodes.clock.advance(1_000);
    expect((await next).id).not.toBe(headers.id);
  });

  it('[CL5.6] are waited for at a node that seems to be gone for a moment', async () => {
    const { one, two, owners } = nodes;
    two.store.hold();
    const first = one.gate.session();
    await settleNetwork();
    // It waits for the answer that the first one waits for, and then asks again.
    const second = one.gate.session();
    await settleNetwork();
    const gone = owners.members.splice(1);
    await one.gate.session();
    owners.members.push(...gone);
    two.store.release();
    two.store.hold();
    await first;
    let isAnswered = false;
    void second.then(() => {
      isAnswered = true;
    });
    await settleNetwork();
    expect(isAnswered).toBe(false);
    two.store.release();
    await settleNetwork();
    expect(isAnswered).toBe(true);
  });

  it('[CL5.6] of keys are read through another node', async () => {
    nodes.two.store.hold();
    const { key } = await issueKey(nodes.one.gate, ['sessions:read']);
    expect((await readAt(nodes.two.url, '/sessions', { 'x-api-key': key })).status).toBe(200);
    expect(
      (await readAt(nodes.two.url, '/sessions', { 'x-api-key': `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` }))
        .status,
    ).toBe(401);
  });

  it('[CL5.2] are asked for by nodes alone', async () => {
    const ask = (more: Record<string, string>): Promise<Response> =>
      fetch(`${nodes.one.url}/nodes/seen`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: '{"position":"0"}',
      });
    const refused = await ask({});
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { statusCode: 403, message: 'x-gateway-hop is required' },
    ]);
  });
});

describe('GET /nodes', () => {
  it('[CL6.1] tells who is there, since when, and what each owns', async () => {
    const started = new Date(nodes.clock.now()).toISOString();
    const common = { version: '1.0.0', started, heard: started, live: true };
    await nodes.one.gate.session();
    await nodes.one.gate.session();
    expect(await (await readAt(nodes.two.url, '/nodes', {})).json()).toEqual({
      docs: [
        { ...common, name: 'one', self: false, url: nodes.one.url, sessions: 2, partitions: [0, 1] },
        { ...common, name: 'two', self: true, url: nodes.two.url, sessions: 0, partitions: [2] },
      ],
    });
  });

  it('[CL6.1] tells of a node that does not answer what is known, and of one that fell silent that it is gone', async () => {
    await nodes.one.gate.session();
    const read = async (): Promise<object[]> =>
      ((await (await readAt(nodes.two.url, '/nodes', {})).json()) as { docs: object[] }).docs;
    Object.assign(nodes.one.cluster.self, { url: 'http://127.0.0.1:1' });
    expect(await read()).toMatchObject([
      { name: 'one', live: true, sessions: null },
      { name: 'two', sessions: 0 },
    ]);
    nodes.one.cluster.isSilent = true;
    nodes.one.cluster.heardOfMsAgo = 16_000;
    const heard = new Date(nodes.clock.now() - 16_000).toISOString();
    expect(await read()).toMatchObject([
      { name: 'one', live: false, sessions: null, heard, partitions: [0, 1] },
      { name: 'two', live: true },
    ]);
  });

  it('[CL6.1] tells a tenant no address and no sessions', async () => {
    const { key } = await issueKey(nodes.one.gate, ['sessions:read'], { tenant: 'acme' });
    const { docs } = (await (await readAt(nodes.two.url, '/nodes', { 'x-api-key': key })).json()) as {
      docs: { url: string; sessions: number | null }[];
    };
    expect(docs.map(({ url, sessions }) => [url, sessions])).toEqual([
      ['', null],
      ['', null],
    ]);
  });
});
