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

it('[CL5.7] a customer’s link opens a session in its own place, after one that was given its externalId elsewhere', async () => {
  nodes.owners.set(externalKey('customer-3'), 'two');
  const json = { 'content-type': 'application/json' };
  const body = (value: object): { headers: typeof json; body: string } => ({
    headers: json,
    body: JSON.stringify(value),
  });
  const { id, sessionId } = (await (await create(nodes.one.url)).json()) as { id: string; sessionId: string };
  const secret = { id, 'session-id': sessionId };
  const named = body({ externalId: 'customer-3' });
  const renamed = await fetch(`${nodes.one.url}/session`, {
    method: 'PATCH',
    ...named,
    headers: { ...secret, ...json },
  });
  expect(renamed.status).toBe(200);
  const made = await fetch(`${nodes.one.url}/links`, {
    method: 'POST',
    ...body({ session: { externalId: 'customer-3' } }),
  });
  const { url } = (await made.json()) as { url: string };
  const headers = { 'link-token': url.slice(url.indexOf('#') + 1) };
  const press = async (): Promise<unknown> => {
    const opened = await fetch(`${nodes.one.url}/link/session`, { method: 'POST', headers });
    return [opened.status, ((await opened.json()) as { sessionsLeft?: number }).sessionsLeft];
  };
  // It shows the session that has its ID.
  expect(await press()).toEqual([200, 10]);
  expect((await fetch(`${nodes.two.url}/session`, { method: 'DELETE', headers: secret })).status).toBe(200);
  expect(await press()).toEqual([200, 9]);
  expect(nodes.owners.of(String(nodes.one.gate.views.byExternalKey(externalKey('customer-3'))?.id))).toBe('two');
});
