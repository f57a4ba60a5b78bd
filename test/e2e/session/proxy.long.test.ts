import { afterEach, beforeEach, expect, it } from 'vitest';
import { ann, bob } from '../../support/e2e/scene.ts';
import { openProxyScene, type ProxyScene, proxySecret } from '../../support/proxies/proxy-scene.ts';

const changes = 500;
/** A file goes on connections of its own, with the same key. */
const fileEvery = 5;

let scene: ProxyScene;
beforeEach(async () => {
  scene = await openProxyScene();
});
afterEach(() => scene.close());

it('[LG3.9] 500 changes of proxy under messages and files: no login key is ever in two places', async () => {
  const caller = await scene.connected(ann);
  const urls = [
    (await scene.socks('127.0.0.2')).url,
    (await scene.http('127.0.0.3')).url,
    '',
    await scene.mtproxy(`dd${proxySecret}`),
    (await scene.socks('127.0.0.4')).url,
  ];
  const content = Buffer.from('a file of one line');
  const sendFile = async (): Promise<number> => {
    const document = { data: content.toString('base64'), name: 'a.txt', size: content.length, mimetype: 'text/plain' };
    const message = { user: bob, type: 'document', document };
    return (await scene.whilePassing(scene.request(caller, 'POST', '/message', message))).status;
  };
  for (let change = 0; change < changes; change += 1) {
    const sending = change % fileEvery === 0 ? sendFile() : scene.say(caller, `before ${change}`);
    const { status } = await scene.setProxy(caller, urls[change % urls.length] ?? '');
    expect([change, status, await sending, await scene.say(caller, `after ${change}`)]).toEqual([
      change,
      200,
      200,
      200,
    ]);
  }
  expect((await scene.stats()).duplicatedLogins).toBe(0);
  const session = await scene.read(caller);
  expect(session.isConnected).toBe(true);
  const devices = await scene.sandbox.call<unknown[]>('GET', `/accounts/${ann}/devices`);
  expect(devices).toHaveLength(1);
}, 900_000);
