import { afterEach, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { LoginStore } from '../../../../src/telegram/login/login-store.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';
import { openScene, type Scene } from '../../../support/telegram/scene.ts';

let scene: Scene;
afterEach(() => scene.close());

const phone = '15550000001';
const devices = (): Promise<unknown[]> => scene.control('GET', '/accounts/1001/devices');
const connections = async (): Promise<number> =>
  (await scene.control<{ connections: number }>('GET', '/stats')).connections;

it('[FA2.4] a code is not submitted before the last one that Telegram has sent is stored', async () => {
  let isStoreAway = false;
  const logins = new Map<string, string>();
  const loginStore: LoginStore = {
    loadLogin: async (id, read) => {
      const text = logins.get(id);
      return text === undefined ? undefined : read(text);
    },
    saveLogin: async (id, login) => {
      if (isStoreAway) throw new StoreUnavailableError('away');
      logins.set(id, login);
    },
    dropLogin: async (id) => void logins.delete(id),
  };
  scene = await openScene({ loginStore });
  const link = scene.link('codes');
  link.awaitCode(1);
  await settleNetwork();
  await link.sendCode(1, phone);
  isStoreAway = true;
  expect(await failureOf(link.sendCode(1, phone))).toBeInstanceOf(StoreUnavailableError);
  // It is back, and the next try to store the code may be half a minute away.
  isStoreAway = false;
  const [{ code } = { code: '' }] = await scene.control<{ code: string }[]>('GET', '/accounts/1001/codes');
  expect(await failureOf(link.submitCode(1, code))).toBeInstanceOf(StoreUnavailableError);
  await settleNetwork();
  expect([await devices(), await connections()]).toEqual([[], 0]);
  await scene.clock.advance(30_000);
  expect(await link.submitCode(1, code)).toBe('accepted');
  expect(await devices()).toHaveLength(1);
});
