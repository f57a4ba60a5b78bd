import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { ProxyUnusableError } from '../../../../actors/ports/telegram-session.ts';
import { partitionOf } from '../../../../src/cluster/partitions.ts';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import { settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Sessions without an external ID whose partition leaves `one` while it creates them. It is then `two`'s. */

let nodes: TwoNodes;
/** The texts in whose partitions `one` creates sessions. */
let besides: (string | undefined)[];
/** The subjects of the requests that it has begun. */
let began: string[];

beforeEach(async () => {
  nodes = await openTwoNodes();
  besides = [];
  began = [];
  const { cluster, hops } = nodes.one;
  const newSessionId = cluster.newSessionId.bind(cluster);
  cluster.newSessionId = (draw, beside) => {
    besides.push(beside);
    return newSessionId(draw, beside);
  };
  const begin = hops.requests.begin.bind(hops.requests);
  vi.spyOn(hops.requests, 'begin').mockImplementation((subject) => {
    began.push(subject);
    return begin(subject);
  });
});

const create = (body?: object): Promise<Response> =>
  fetch(`${nodes.one.url}/session`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
/** The partition of the session that is being created. */
async function leave(): Promise<void> {
  await settleNetwork();
  expect(began).toHaveLength(1);
  // The session is where the request is: the partition waits for it.
  expect(besides).toEqual(began);
  const [subject = ''] = began;
  expect(nodes.one.hops.requests.finish(partitionOf(subject))).toBeDefined();
  nodes.owners.set(subject, undefined);
  await nodes.one.gate.sessions.release(allPartitions);
}
async function arrive(): Promise<void> {
  await settleNetwork();
  nodes.owners.set(String(began[0]), 'two');
}
const codeOf = (response: Response): unknown[] => [response.status, response.headers.get('x-error-code')];
const proxy = { url: 'socks5://127.0.0.1:1080' };

describe('a session whose partition leaves while it is created', () => {
  it('[CL4.5] [CL5.25] is created by the next owner if nothing was begun for it', async () => {
    const { sealer } = nodes.one.gate;
    const createKey = sealer.createKey.bind(sealer);
    let goOn = (): void => {};
    sealer.createKey = async (id) => {
      sealer.createKey = createKey;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await createKey(id);
    };
    const answer = create();
    await leave();
    goOn();
    await arrive();
    const response = await whileTimePasses(nodes.clock, answer);
    const { id } = (await response.json()) as { id: string };
    expect([response.status, nodes.owners.of(id), nodes.one.outcomes]).toEqual([200, 'two', ['answered']]);
  });

  it('[CL5.25] is created by the next owner if its proxy was still being tried', async () => {
    let fail: (error: Error) => void = () => {};
    nodes.one.gate.links.proxyTrial = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    const answer = create({ proxy });
    await leave();
    fail(new ProxyUnusableError('the proxy does not answer'));
    await arrive();
    expect((await whileTimePasses(nodes.clock, answer)).status).toBe(200);
  });

  it('[CL5.25] is given up if its login had begun: 500 with the code node_lost', async () => {
    let fail: (error: Error) => void = () => {};
    const { links } = nodes.one.gate;
    // A link that tries its proxy has not logged in yet.
    links.proxyTrial = async () => {
      Object.assign(links.all.at(-1) ?? {}, {
        firstLogin: () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      });
    };
    const answer = create({ proxy, login: { phone: '+4915100000001' } });
    await leave();
    fail(new NotConnectedError('the session has ended'));
    await arrive();
    expect(codeOf(await whileTimePasses(nodes.clock, answer))).toEqual([500, 'node_lost']);
  });

  it('[CL4.5] is waited for no longer than until it has its response', async () => {
    expect((await create()).status).toBe(200);
    await settleNetwork();
    expect(nodes.one.hops.requests.finish(partitionOf(String(began[0])))).toBeUndefined();
  });
});
