import { afterEach, beforeEach, expect, it } from 'vitest';
import { dropWebhook, WebhookSetAnewError } from '../../../../src/webhook/deliver/drop-webhook.ts';
import { texts, World } from '../../../support/webhook/world.ts';

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

it('[WH4.5] a 410 turns off the webhook that answered it, not one that was set since and that no view shows yet', async () => {
  const stale = world.views.get(id);
  // The same URL and token, within the same millisecond.
  await world.setWebhook(id, world.url);
  const late = dropWebhook({ sessions: world.sessions, views: { get: () => stale } }, id, 1);
  await expect(late).rejects.toThrow(WebhookSetAnewError);
  await world.arrive(id, [{ text: 'still', from: 2000 }]);
  await world.settle();
  expect(texts(world.received)).toEqual(['still']);

  await dropWebhook(world, id, 1);
  await world.settle();
  expect(world.views.get(id)?.webhook).toBeUndefined();
});

it('[WH4.5] a 410 that arrives when another webhook has been set leaves that one alone', async () => {
  world.behaviour = (response, { path }) => {
    response.statusCode = path === '/hook' ? 410 : 200;
    if (path === '/hook') void world.setWebhook(id, `${world.url}/new`).then(() => response.end());
    else response.end();
  };
  await world.arrive(id, [
    { text: 'one', from: 2000 },
    { text: 'two', from: 2000 },
  ]);
  await world.pass(60_000);
  expect(world.views.get(id)?.webhook).toBeDefined();
  expect(texts(world.received.filter(({ path }) => path === '/hook/new'))).toEqual(['one', 'two']);
});

it('[WH5.1] what waits for a webhook is not for one that is set in the same millisecond as the first is turned off', async () => {
  world.behaviour = (response) => void response.writeHead(500).end();
  await world.arrive(id, [{ text: 'for the first', from: 2000 }]);
  await world.settle();
  const tried = world.received.length;
  await world.setWebhook(id, null);
  world.behaviour = (response) => response.end();
  await world.setWebhook(id, `${world.url}/new`);
  await world.arrive(id, [{ text: 'for the next', from: 2000 }]);
  await world.pass(60_000);
  expect(world.received.slice(tried).map(({ payload: { seq } }) => seq)).toEqual([2]);
});
