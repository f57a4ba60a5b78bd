import { beforeEach, expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { SessionsStartingError } from '../../../../actors/runtime/sessions.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';

/** Logins that are handed in at one node, and may be another one's. */

let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await openTwoNodes();
});

const login = { dc: 2, key: Buffer.alloc(256, 7) };

it('[CL5.8] a login is taken once, whichever node it is handed to', async () => {
  const first = await nodes.one.gate.session();
  expect(await nodes.one.logins.take(first.id, login)).toBe(true);
  expect(await nodes.two.logins.take('another session', login)).toBe(false);
  // What is not taken is not kept.
  expect(nodes.two.logins.ownerOf('another session')).toBeUndefined();
  nodes.one.logins.release(first.id);
  expect(await nodes.two.logins.take('another session', login)).toBe(true);
});

it('[CL5.8] of a session that has moved, only its owner says that it is used', async () => {
  const first = await nodes.one.gate.session();
  await nodes.one.logins.take(first.id, login);
  nodes.owners.set(first.id, 'nowhere');
  expect(await nodes.two.logins.take('another session', login)).toBe(true);
});

it('[CL5.8] of a session that has moved, its next owner says whether it is used', async () => {
  const first = await nodes.one.gate.session();
  await nodes.one.logins.take(first.id, login);
  nodes.owners.set(first.id, 'two');
  nodes.two.logins.note(first.id, [login.key]);
  expect(await nodes.one.logins.take('another session', login)).toBe(false);
  // There its login was handed out.
  nodes.two.logins.release(first.id);
  expect(await nodes.one.logins.take('another session', login)).toBe(true);
});

it('[CL5.8] of a session that has moved and come back, its last owner has said whether it is used', async () => {
  const { one, two, owners } = nodes;
  const first = await one.gate.session();
  await one.logins.take(first.id, login);
  const other = { dc: 2, key: Buffer.alloc(256, 8) };
  await one.logins.take('a session that stays', other);
  owners.set(first.id, 'two');
  // There its login was handed out, and it was deleted.
  owners.set(first.id, 'one');
  one.logins.forget({ has: (id) => id === first.id });
  expect(await two.logins.take('another session', login)).toBe(true);
  expect(await two.logins.take('a third session', other)).toBe(false);
});

it('[CL5.8] a login is not taken while a node does not answer', async () => {
  Object.assign(nodes.one.cluster.self, { url: 'http://127.0.0.1:1' });
  await expect(nodes.two.logins.take('a session', login)).rejects.toThrow(SessionsStartingError);
  expect(await nodes.one.logins.take('a session', login)).toBe(true);
});

const starting = (node: TwoNodes['one']): Promise<void> =>
  expect(node.logins.take('a session', login)).rejects.toThrow(SessionsStartingError);

it('[CL5.8] a login is not taken while a partition changes hands', async () => {
  const { one, two } = nodes;
  const [first = 0, ...others] = one.cluster.partitions;
  one.cluster.partitions = others;
  await starting(one);
  await starting(two);
  two.cluster.partitions = [first];
  expect(await one.logins.take('a session', login)).toBe(true);
});

it('[CL5.8] a login is not taken before all sessions of another node have begun to connect', async () => {
  const { one, two } = nodes;
  const store = { ...one.store };
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  one.store.lastOfEach = async function* late(...call) {
    await held;
    yield* store.lastOfEach(...call);
  };
  const taking = one.gate.sessions.take(allPartitions);
  await starting(two);
  go();
  await taking;
  expect(await two.logins.take('a session', login)).toBe(true);
});

it('[CL5.8] a login that another node is reading is waited for', async () => {
  const { one, two } = nodes;
  const first = await one.gate.session();
  let read = (): void => {};
  one.logins.awaits(
    new Promise<void>((resolve) => {
      read = resolve;
    }),
  );
  const taking = two.logins.take('another session', login);
  await settleNetwork();
  one.logins.note(first.id, [login.key]);
  read();
  expect(await taking).toBe(false);
});
