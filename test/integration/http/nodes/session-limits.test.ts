import { beforeEach, expect, it } from 'vitest';
import { ProxyUnusableError } from '../../../../actors/ports/telegram-session.ts';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { sessionLimitHolds } from '../../../../src/hop/holds-elsewhere.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import { issueKey } from '../../../support/gateway/issue-key.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Sessions that a key with a limit creates at two nodes at once. */

const limit = 3;
const reached = `limit of ${limit} sessions reached`;

let nodes: TwoNodes;
let key: string;
let keyId: string;
beforeEach(async () => {
  nodes = await openTwoNodes();
  ({ key, id: keyId } = await issueKey(nodes.one.gate, ['sessions:create'], { limits: { sessions: limit } }));
});

/** With an ID of its partition, so that this node creates it. */
async function create(node: 'one' | 'two', externalId: string, more: object = {}): Promise<string> {
  nodes.owners.set(externalKey(externalId), node);
  const response = await fetch(`${nodes[node].url}/session`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ externalId, ...more }),
  });
  const body = (await response.json()) as { message?: string };
  return response.status === 200 ? 'created' : `${response.status} ${body.message}`;
}

it.each(['one', 'two'])('[CL5.12] are as many as the limit allows: %s counts', async (counting) => {
  nodes.owners.set(keyId, counting);
  nodes.one.store.hold();
  nodes.two.store.hold();
  const creations = Array.from({ length: 8 }, (_, number) =>
    create(number % 2 === 0 ? 'one' : 'two', `desk ${number}`),
  );
  await settleNetwork();
  nodes.one.store.release();
  nodes.two.store.release();
  const answers = await whileTimePasses(nodes.clock, Promise.all(creations));
  expect(answers.toSorted()).toEqual([...Array<string>(5).fill(`429 ${reached}`), ...Array<string>(3).fill('created')]);
});

it('[CL5.12] what was not created does not count', async () => {
  nodes.owners.set(keyId, 'one');
  expect(await create('two', 'desk')).toBe('created');
  for (let number = 0; number < 4; number += 1) expect(await create('two', 'desk')).toMatch(/^400 externalId is used/);
  expect(await create('one', 'desk 1')).toBe('created');
  expect(await create('two', 'desk 2')).toBe('created');
  expect(await create('two', 'desk 3')).toBe(`429 ${reached}`);
});

it('[CL5.12] those that are still being created count for as long as that may take, and no longer if it fails', async () => {
  nodes.owners.set(keyId, 'one');
  const failing: ((error: Error) => void)[] = [];
  nodes.two.gate.links.proxyTrial = () => new Promise((_, reject) => failing.push(reject));
  const creations = Array.from({ length: limit }, (_, number) =>
    create('two', `slow ${number}`, { proxy: { url: 'socks5://127.0.0.1:1080' } }),
  );
  await settleNetwork();
  expect(failing).toHaveLength(limit);
  // A login takes up to 3 minutes, and the proxy is tried before it.
  await passTime(nodes.clock, 240_000);
  expect(await create('one', 'desk')).toBe(`429 ${reached}`);
  for (const fail of failing) fail(new ProxyUnusableError('the proxy does not answer'));
  await Promise.all(creations);
  await settleNetwork();
  expect(await create('one', 'desk')).toBe('created');
});

it('[CL5.12] one whose node says nothing more counts for a minute', async () => {
  const { calls } = nodes.two.hops;
  const node = nodes.two.cluster.nodes().find(({ isSelf }) => !isSelf);
  if (node === undefined) throw new Error('there is one node alone');
  for (let number = 0; number < limit; number += 1) {
    const question = { id: `hold ${number}`, key: keyId, holder: keyId };
    expect(await calls.call(node, sessionLimitHolds, question, 1_000)).toEqual({ kind: 'held', reason: '' });
  }
  await passTime(nodes.clock, 59_000);
  expect(await create('one', 'desk')).toBe(`429 ${reached}`);
  await passTime(nodes.clock, 1_000);
  expect(await create('one', 'desk')).toBe('created');
});
