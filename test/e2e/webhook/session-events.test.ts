import { afterEach, beforeEach, expect, it } from 'vitest';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { EnvelopeStream } from '../../support/kit/envelope-stream.ts';

let scene: Scene;
let caller: Caller;

beforeEach(async () => {
  scene = await openScene();
  caller = await scene.connected(ann);
});
afterEach(() => scene.close());

const wanted = 'message,session.connected,session.disconnected,session.qr,session.reset';

/** Time stands still. */
async function arrived({ envelopes }: EnvelopeStream, count: number): Promise<[previous: number, text: string][]> {
  while (envelopes.length < count) await scene.clock.advance(0);
  return envelopes.map(({ previous, type, data }) => [previous, 'text' in data ? data.text : type]);
}

it('[EV1.9] a reader is told of the session between the messages, over a restart and a reset', async () => {
  await scene.pass(1_000);
  const first = new EnvelopeStream(scene.gateway.url, caller.headers, `reader=desk&events=${wanted}`);
  await scene.pass(500);
  await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'one' });
  expect(await arrived(first, 1)).toEqual([[0, 'one']]);
  await first.leave();
  await scene.restart();
  const again = new EnvelopeStream(scene.gateway.url, { ...caller.headers, 'last-event-id': '1' }, 'reader=desk');
  expect(await arrived(again, 2)).toEqual([
    [1, 'session.disconnected'],
    [2, 'session.connected'],
  ]);
  expect(again.envelopes[0]).toMatchObject({
    session: { id: caller.id, generatedId: ann },
    data: { state: 'disconnected', reason: 'gateway-restart' },
  });
  await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'two' });
  expect((await arrived(again, 3)).at(-1)).toEqual([3, 'two']);
  await scene.request(caller, 'POST', '/session/reset', {});
  while (again.envelopes.length < 5) await scene.pass(1_000);
  expect((await arrived(again, 5)).slice(3)).toEqual([
    [4, 'session.reset'],
    [5, 'session.qr'],
  ]);
  await again.leave();
});
