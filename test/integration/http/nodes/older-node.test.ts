import { beforeEach, expect, it } from 'vitest';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { type FakeNode, openFakeNode } from '../../../support/cluster/fake-node.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import { issueKey } from '../../../support/gateway/issue-key.ts';

/** What a node would ask of another one, which is of a version that has no such question. Time stands still: nothing is waited for. */

let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await openTwoNodes();
});

const keptByOlderNode = (key: string): Promise<FakeNode> =>
  openFakeNode(nodes.owners, key, (socket) =>
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'),
  );

it('[CL5.27] a session is given an external ID', async () => {
  const headers = await nodes.one.gate.session();
  const older = await keptByOlderNode(externalKey('customer-1'));
  const response = await fetch(`${nodes.one.url}/session`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ externalId: 'customer-1' }),
  });
  expect([response.status, await response.json()]).toMatchObject([200, { externalId: 'customer-1' }]);
  expect(older.asked.length).toBeGreaterThan(0);
});

it('[CL5.27] a key with a limit creates sessions, as many as this node knows to be allowed', async () => {
  const { key, id } = await issueKey(nodes.one.gate, ['sessions:create'], { limits: { sessions: 2 } });
  const older = await keptByOlderNode(id);
  const statuses = [];
  for (let count = 0; count < 3; count += 1) {
    const response = await fetch(`${nodes.one.url}/session`, { method: 'POST', headers: { 'x-api-key': key } });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
  expect(older.asked.length).toBeGreaterThan(0);
});
