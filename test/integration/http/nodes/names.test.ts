import { beforeEach, describe, expect, it } from 'vitest';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { externalIdHolds } from '../../../../src/hop/holds-elsewhere.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders, TestApp } from '../../../support/gateway/http-app.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** An external ID that is given to sessions of two nodes. `two` keeps it. */

const externalId = 'customer-1';

let nodes: TwoNodes;
let first: SessionHeaders;
let second: SessionHeaders;
beforeEach(async () => {
  nodes = await openTwoNodes();
  first = await nodes.one.gate.session();
  nodes.owners.set(externalKey('customer-2'), 'two');
  second = await nodes.two.gate.session({ externalId: 'customer-2' });
  nodes.owners.set(externalKey(externalId), 'two');
});

const change = async (url: string, headers: SessionHeaders, body: object): Promise<unknown> => {
  const response = await fetch(`${url}/session`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status === 200 ? 200 : { status: response.status, ...((await response.json()) as object) };
};
const used = (by: string) => ({
  status: 400,
  statusCode: 400,
  message: `externalId is used by session ${by}`,
});

it('[CL5.10] is given to one of two sessions, though neither node has seen the other’s', async () => {
  nodes.one.store.hold();
  nodes.two.store.hold();
  const changes = [change(nodes.one.url, first, { externalId })];
  await settleNetwork();
  changes.push(change(nodes.two.url, second, { externalId }));
  await settleNetwork();
  nodes.one.store.release();
  nodes.two.store.release();
  const answers = await whileTimePasses(nodes.clock, Promise.all(changes));
  expect(answers).toEqual([200, used(first.id)]);
});

it('[CL5.10] is free again when a change has failed', async () => {
  await change(nodes.two.url, second, { externalId });
  expect(await change(nodes.one.url, first, { externalId })).toEqual(used(second.id));
  expect(await change(nodes.two.url, second, { externalId: '' })).toBe(200);
  expect(await change(nodes.one.url, first, { externalId })).toBe(200);
  expect(await change(nodes.two.url, second, { externalId })).toEqual(used(first.id));
  // Its own it may be given again.
  expect(await change(nodes.one.url, first, { externalId, label: 'desk' })).toBe(200);
});

it('[CL5.10] is kept for a minute for a session whose node says nothing more', async () => {
  const question = { id: 'a hold', key: externalKey(externalId), holder: first.id };
  const node = nodes.one.cluster.nodes().find(({ isSelf }) => !isSelf);
  if (node === undefined) throw new Error('there is one node alone');
  const ask = (): Promise<unknown> => nodes.one.hops.calls.call(node, externalIdHolds, question, 1_000);
  expect(await ask()).toEqual({ kind: 'held', reason: '' });
  // A repeated question holds it once.
  expect(await ask()).toEqual({ kind: 'held', reason: '' });
  expect(await change(nodes.two.url, second, { externalId })).toEqual(used(first.id));
  await passTime(nodes.clock, 60_000);
  expect(await change(nodes.two.url, second, { externalId })).toBe(200);
});

it('[CL5.10] is asked of its next owner, and refused with a retry if there is none', async () => {
  nodes.owners.set(externalKey(externalId), undefined);
  const late = change(nodes.one.url, first, { externalId });
  const refused = await whileTimePasses(nodes.clock, late);
  expect(refused).toMatchObject({ status: 500 });
  const patient = change(nodes.one.url, first, { externalId });
  await passTime(nodes.clock, 1_000);
  nodes.owners.set(externalKey(externalId), 'two');
  expect(await whileTimePasses(nodes.clock, patient)).toBe(200);
});

describe('a name that is being given by a node that is killed, or stands still', () => {
  /** The node `one` keeps the name, gives it, and what it records is late: by then `two` keeps it. */
  const giveAtOne = async (give: () => Promise<unknown>): Promise<{ given: Promise<unknown> }> => {
    nodes.owners.set(externalKey(externalId), 'one');
    nodes.one.store.holdAppends();
    const given = give();
    await settleNetwork();
    nodes.owners.set(externalKey(externalId), 'two');
    return { given };
  };
  const create = async (): Promise<unknown> => {
    const response = await fetch(`${nodes.one.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId, label: 'new' }),
    });
    return response.status === 200 ? 200 : { status: response.status, ...((await response.json()) as object) };
  };
  const change1 = (): Promise<unknown> => change(nodes.one.url, first, { externalId, label: 'shop' });
  const change2 = (): Promise<unknown> => change(nodes.two.url, second, { externalId });
  const during = <T>(work: Promise<T>): Promise<T> => whileTimePasses(nodes.clock, work);
  /** In the views of each node. */
  const seen = <T>(look: (views: TestApp['views']) => T): T[] =>
    [nodes.one, nodes.two].map(({ gate }) => look(gate.views));
  const holder = (views: TestApp['views']): string | undefined => views.byExternalKey(externalKey(externalId))?.id;

  it('[CL5.13] is the one’s that has it first in the log; the other keeps its names', async () => {
    await change(nodes.one.url, first, { externalId: 'customer-3', label: 'desk' });
    const { given } = await giveAtOne(change1);
    expect(await during(change2())).toBe(200);
    nodes.one.store.releaseAppends();
    expect(await during(given)).toEqual(used(second.id));
    await settleNetwork();
    expect(seen(holder)).toEqual([second.id, second.id]);
    const kept = { externalId: 'customer-3', label: 'desk' };
    expect(seen((views) => views.get(first.id))).toMatchObject([kept, kept]);
    // It is free for others when its session has another.
    expect(await during(change(nodes.two.url, second, { externalId: 'customer-2' }))).toBe(200);
    expect(await during(change1())).toBe(200);
    expect(seen(holder)).toEqual([first.id, first.id]);
  });

  it('[CL5.13] is the one’s that has it first in the log, though the next keeper has not heard of that', async () => {
    const { given } = await giveAtOne(change1);
    nodes.two.store.hold();
    nodes.two.store.holdAppends();
    const late = change2();
    await settleNetwork();
    nodes.one.store.releaseAppends();
    await settleNetwork();
    nodes.two.store.releaseAppends();
    await settleNetwork();
    nodes.two.store.release();
    expect(await during(Promise.all([given, late]))).toEqual([200, used(first.id)]);
    await settleNetwork();
    expect(seen(holder)).toEqual([first.id, first.id]);
    expect(seen((views) => views.get(second.id)?.externalId)).toEqual(['customer-2', 'customer-2']);
  });

  it('[CL5.13] a session that was created for it and comes too late is deleted', async () => {
    const { given } = await giveAtOne(create);
    expect(await during(change2())).toBe(200);
    nodes.one.store.releaseAppends();
    expect(await during(given)).toEqual(used(second.id));
    await settleNetwork();
    expect(seen(holder)).toEqual([second.id, second.id]);
    const live = [first.id, second.id].toSorted();
    expect(seen((views) => views.liveIds('', 10))).toEqual([live, live]);
  });
});
