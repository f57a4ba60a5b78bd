import { beforeEach, expect, it } from 'vitest';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';

/** Sessions that are created at any node. */

let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await openTwoNodes();
});

const create = (url: string, body?: object): Promise<Response> =>
  fetch(`${url}/session`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

it('[CL5.7] an external ID has one session, whichever node is asked', async () => {
  nodes.owners.set(externalKey('customer-1'), 'two');
  const first = await create(nodes.one.url, { externalId: 'customer-1' });
  const { id } = (await first.json()) as { id: string };
  expect([first.status, nodes.owners.of(id), nodes.one.outcomes]).toEqual([200, 'two', ['answered']]);
  const answers = await Promise.all(
    [nodes.one, nodes.two].map(async ({ url }) => (await create(url, { externalId: 'customer-1' })).json()),
  );
  const refused = { statusCode: 400, message: `externalId is used by session ${id}` };
  expect(answers).toEqual([refused, refused]);
});

it('[CL5.7] without one a session is made by the node that is asked, or by another if that one has no partition', async () => {
  expect((await create(nodes.one.url)).status).toBe(200);
  expect([nodes.one.outcomes, nodes.two.outcomes]).toEqual([[], []]);
  // The first has all that the test says nothing of.
  const response = await create(nodes.two.url);
  const { id } = (await response.json()) as { id: string };
  expect([response.status, nodes.owners.of(id), nodes.two.outcomes]).toEqual([200, 'one', ['answered']]);
});

it('[CL5.7] a bad body is refused by the node that is asked', async () => {
  expect((await create(nodes.two.url, { externalId: 7 })).status).toBe(400);
  expect(nodes.two.outcomes).toEqual([]);
});

it('[CL5.7] a customer’s link is opened by its owner, and shown by any node', async () => {
  const made = await fetch(`${nodes.two.url}/links`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session: { externalId: 'customer-2' } }),
  });
  const { url } = (await made.json()) as { url: string };
  const headers = { 'link-token': url.slice(url.indexOf('#') + 1) };
  const opened = await fetch(`${nodes.two.url}/link/session`, { method: 'POST', headers });
  expect([opened.status, nodes.two.outcomes]).toEqual([200, ['answered']]);
  const shown = await fetch(`${nodes.two.url}/link/session`, { headers });
  expect(await shown.json()).toMatchObject({ state: 'qrPending' });
});
