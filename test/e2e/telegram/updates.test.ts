import { afterAll, beforeAll, expect, it } from 'vitest';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** What calls of methods do is in the flow of updates as what other endpoints do. */

let scene: UpdatesScene;
let caller: Caller;
beforeAll(async () => {
  scene = await openUpdatesScene();
  caller = await scene.annWithWebhook();
});
afterAll(() => scene.close());

const call = (method: string, params: object) =>
  scene.gateway.http.request('POST', `/telegram/${method}`, { headers: { id: caller.id }, body: { params } });

it('[RM1.8] what a method sends is no message of another device, and what the others do follows', async () => {
  const text = await call('messages.sendMessage', { peer: bob, message: 'a text of a method' });
  const contact = { phone_number: '15550000009', first_name: 'A', last_name: '', vcard: '' };
  const media = await call('messages.sendMedia', {
    peer: bob,
    message: '',
    media: { _: 'inputMediaContact', ...contact },
  });
  expect([text.status, media.status]).toEqual([200, 200]);
  await scene.write(bob, ann, 'thanks');
  const deliveries = await scene.delivered(caller, 1);
  expect(deliveries.map(({ content }) => content.message.text)).toEqual(['thanks']);
  // A message of another login of the account would be delivered.
  await scene.write(ann, bob, 'from the phone');
  expect((await scene.delivered(caller, 2)).at(-1)?.content.message).toMatchObject({ fromMe: true });
});
