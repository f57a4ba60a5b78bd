import { afterEach, beforeEach, expect, it } from 'vitest';
import { faultsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** What the gateway itself does to messages, as the webhook tells it. */

let scene: UpdatesScene;
let caller: Caller;
beforeEach(async () => {
  scene = await openUpdatesScene();
  caller = await scene.annWithWebhook();
});
afterEach(() => scene.close());

const differences = async (): Promise<number> =>
  (await scene.sandbox.call<unknown[]>('GET', '/calls?method=updates.getDifference')).length;
const act = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await scene.request(caller, method, path, body);
  expect(answer.status).toBe(200);
};
const countOf = async (): Promise<number> => (await scene.deliveries(caller)).length;
/** The messages that Bob writes to Ann, as she sees them. */
const bobWrites = async (count: number): Promise<string[]> => {
  for (let index = 0; index < count; index++) await scene.write(bob, ann, `text ${index}`);
  const deliveries = await scene.delivered(caller, count);
  return deliveries.slice(-count).map(({ content }) => String(content.message.id));
};
/** All that is there after what was under way, and after the time in which a gap would be noticed. */
const settled = async (): Promise<{ type: string; content: object }[]> => {
  await scene.pass(2_000);
  const deliveries = await scene.deliveries(caller);
  expect(faultsOf(deliveries)).toEqual([]);
  return deliveries.slice(2);
};

it('[MX2.7] a deletion is told once, and nothing is fetched for it', async () => {
  const ids = await bobWrites(2);
  const before = await differences();
  await act('DELETE', `/message?user=${bob}&messageIds=${ids.join(',')}&forEveryone=true`);
  // Gone already: no second event.
  await act('DELETE', `/message?user=${bob}&messageIds=${ids.join(',')}&forEveryone=true`);
  expect(await settled()).toMatchObject([{ type: 'MessagesDeleted', content: { messageIds: ids.map(Number) } }]);
  expect(await differences()).toBe(before);
  // The numbers go on from there.
  await scene.write(bob, ann, 'and then');
  await scene.delivered(caller, 4);
  expect(await differences()).toBe(before);
});

it('[MX2.7] a reading is told once', async () => {
  const ids = await bobWrites(2);
  const before = await differences();
  for (let time = 0; time < 2; time++) await act('POST', '/chat/read', { user: bob });
  expect(await settled()).toMatchObject([{ type: 'MessagesRead', content: { upTo: Number(ids[1]), fromMe: true } }]);
  expect(await differences()).toBe(before);
});

it('[MX2.7] an edit is told once', async () => {
  await bobWrites(2);
  const sent = await scene.request(caller, 'POST', '/message', { user: bob, type: 'text', text: 'mine' });
  const { messageId } = sent.body as { messageId: string };
  const before = await differences();
  await act('PATCH', '/message', { user: bob, messageId, text: 'better' });
  const told = (await settled()).filter(({ type }) => type === 'MessageEdited');
  expect(told).toMatchObject([{ content: { message: { text: 'better' } } }]);
  expect(await differences()).toBe(before);
});

it('[MX2.7] what happened in a supergroup moves nothing', async () => {
  await bobWrites(2);
  const id = await scene.write(ann, '-1003001', 'soon gone');
  const [before, recorded] = [await differences(), await countOf()];
  await act('DELETE', `/message?group=-1003001&messageIds=${id}`);
  await scene.pass(2_000);
  await scene.write(bob, ann, 'goes on');
  await scene.delivered(caller, 3);
  expect(await countOf()).toBe(recorded + 1);
  expect(await differences()).toBe(before);
});
