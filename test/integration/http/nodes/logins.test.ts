import { beforeEach, expect, it } from 'vitest';
import { SessionsStartingError } from '../../../../actors/runtime/sessions.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';

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

it('[CL5.8] a login is not taken while a node does not answer', async () => {
  Object.assign(nodes.one.cluster.self, { url: 'http://127.0.0.1:1' });
  await expect(nodes.two.logins.take('a session', login)).rejects.toThrow(SessionsStartingError);
  expect(await nodes.one.logins.take('a session', login)).toBe(true);
});
