import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAuthKeyRegistry } from '../../../../../sandbox/mtproto/keys/auth-key-registry.ts';
import type { ServerAuthKey, Session } from '../../../../../sandbox/mtproto/server-auth-key.ts';

const day = 24 * 3_600_000;

it('an auth key without a login is forgotten after a day, once its client has disconnected', () => {
  let now = Date.UTC(2026, 5, 1);
  const inUse = new Set<string>();
  const forgotten: string[] = [];
  const service = {
    isKeyInUse: (keyId: string) => inUse.has(keyId),
    keyForgotten: (keyId: string) => void forgotten.push(keyId),
  };
  const keys = createAuthKeyRegistry(service, () => now);
  const add = (): ServerAuthKey => keys.add({ secret: randomBytes(256), dc: 2, salt: 1n, expires: undefined });
  const [abandoned, loggedIn, connected] = [add(), add(), add()];
  inUse.add(loggedIn.id);
  connected.sessions.set(1n, { isConnected: true } as Session);
  now += day - 1;
  add();
  expect(forgotten).toEqual([]);
  now += 1;
  add();
  expect(forgotten).toEqual([abandoned.id]);
  expect(keys.find(abandoned.id)).toBeUndefined();
  connected.sessions.clear();
  add();
  expect(forgotten).toEqual([abandoned.id, connected.id]);
});
