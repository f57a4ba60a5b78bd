import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKeyRing, type ServerKey } from '../../sandbox/mtproto/auth-key-registry.ts';

const day = 24 * 3_600_000;

it('a key that nobody logged in with is forgotten after a day, once its client has left', () => {
  let now = Date.UTC(2026, 5, 1);
  const needed = new Set<string>();
  const forgotten: string[] = [];
  const service = {
    needsKey: (keyId: string) => needed.has(keyId),
    keyForgotten: (keyId: string) => void forgotten.push(keyId),
  };
  const ring = createKeyRing(service, () => now);
  const add = (): ServerKey => ring.add({ secret: randomBytes(256), dc: 2, salt: 1n, expires: undefined });
  const [abandoned, loggedIn, connected] = [add(), add(), add()];
  needed.add(loggedIn.id);
  const session = { connected: true } as ServerKey['sessions'] extends Map<bigint, infer Session> ? Session : never;
  connected.sessions.set(1n, session);
  now += day - 1;
  add();
  expect(forgotten).toEqual([]);
  now += 1;
  add();
  expect(forgotten).toEqual([abandoned.id]);
  expect(ring.find(abandoned.id)).toBeUndefined();
  connected.sessions.clear();
  add();
  expect(forgotten).toEqual([abandoned.id, connected.id]);
});
