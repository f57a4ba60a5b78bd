import { expect, it } from 'vitest';
import { openScene } from '../../support/e2e/scene.ts';

const second = 1000;

it('[OP2.2] a shutdown waits 10 s for a request that does not end, and not a second less', async () => {
  const scene = await openScene();
  try {
    const caller = await scene.connected();
    const method = 'messages.sendMessage';
    await scene.sandbox.call('POST', '/faults', { method, dropAnswer: true });
    let isOpen = true;
    const body = { username: 'bob', type: 'text', text: 'too slow' };
    const sending = scene.request(caller, 'POST', '/message', body).catch((error: unknown) => {
      isOpen = false;
      return error;
    });
    while ((await scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length === 0) await scene.pass(1);

    let isClosed = false;
    const closing = scene.gateway.close().then(() => {
      isClosed = true;
    });
    await scene.pass(9 * second);
    expect([isOpen, isClosed]).toEqual([true, false]);
    await scene.pass(second);
    expect(await sending).toBeInstanceOf(TypeError);
    await scene.whilePassing(closing);
    await expect(fetch(scene.gateway.url)).rejects.toThrow('fetch failed');
  } finally {
    await scene.close();
  }
});
