import { afterEach, beforeEach, expect, it } from 'vitest';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

const minute = 60_000;
let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const devices = (): Promise<unknown[]> => scene.sandbox.call('GET', `/accounts/${ann}/devices`);
const network = (action: string): Promise<unknown> => scene.sandbox.call('POST', '/network', { action, userId: ann });
async function audit({ id }: Caller): Promise<{ type: string; state: string }[]> {
  const { body } = await scene.gateway.http.request<{ docs: { type: string; state: string }[] }>(
    'GET',
    `/sessions/${id}/events`,
  );
  return body.docs;
}

it.each(['at once', 'after a restart'])(
  '[SE3.3] deleted while Telegram was away, the device is gone when it is back: %s',
  async (when) => {
    const caller = await scene.connected(ann);
    await network('refuse');
    await network('cut');
    while ((await scene.read(caller)).isConnected) await scene.pass(1_000);
    const { status, body } = await scene.request(caller, 'DELETE', '/session');
    expect([status, body]).toEqual([200, { id: caller.id }]);
    await scene.pass(2 * minute);
    expect(await devices()).toHaveLength(1);
    if (when === 'after a restart') {
      await scene.restart();
      await scene.whilePassing(scene.gateway.started);
      await scene.pass(minute);
      expect(await devices()).toHaveLength(1);
    }
    expect((await scene.request(caller, 'GET', '/session')).status).toBe(404);
    expect((await audit(caller)).at(-1)).toMatchObject({ type: 'SessionDeleted' });
    await network('accept');
    for (let passed = 0; passed < 2 && (await devices()).length > 0; passed += 1) await scene.pass(minute);
    expect(await devices()).toEqual([]);
    while ((await audit(caller)).at(-1)?.type !== 'LoggedOut') await scene.pass(100);
    expect((await audit(caller)).at(-1)).toMatchObject({ type: 'LoggedOut', state: 'deleted' });
  },
);
