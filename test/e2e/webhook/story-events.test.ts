import { afterEach, beforeEach, expect, it } from 'vitest';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** Of the envelope. */
interface StoryEvent {
  created: string;
  data: { expires: string; image?: { url: string }; video?: { url: string } };
}

const dayMs = 24 * 3_600_000;

let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

/** Bob's phone posts it. */
const post = async (kind: 'photo' | 'video', caption: string): Promise<number> =>
  (await scene.sandbox.call<{ storyId: number }>('POST', `/accounts/${bob}/stories`, { media: { kind }, caption }))
    .storyId;

it.each([
  ['photo', 'image', 'story-photo'],
  ['video', 'video', 'story-file'],
] as const)('[EV1.13] tells of a %s of a contact, with links to its files', async (kind, type, variant) => {
  const caller: Caller = await scene.annWithWebhook({ events: ['story'] });
  const storyId = await post(kind, 'at the sea');
  const [story] = await scene.delivered(caller, 1);
  expect(story).toMatchObject({ type: 'StoryPosted', content: { user: { id: bob }, storyId, text: 'at the sea' } });
  const { body } = await scene.request<{ docs: { event: StoryEvent }[] }>(caller, 'GET', '/session/webhook/deliveries');
  const event = body.docs[0]?.event as StoryEvent;
  expect(event).toMatchObject({
    type: 'story',
    data: { user: { id: bob, name: 'Bob Stone' }, storyId: String(storyId), type, text: 'at the sea', entities: [] },
  });
  expect(Date.parse(event.data.expires) - Date.parse(event.created)).toBeCloseTo(dayMs, -4);

  const { pathname } = new URL(event.data[type]?.url ?? '');
  expect(pathname).toContain(`/${bob}/${storyId}/${variant}/`);
  const shown = await scene.whilePassing(fetch(scene.gateway.url + pathname).then((seen) => seen.arrayBuffer()));
  const posted = await fetch(`${scene.sandbox.url}/accounts/${bob}/stories/${storyId}/file`);
  expect(Buffer.from(shown).equals(Buffer.from(await posted.arrayBuffer()))).toBe(true);
});

it('[EV1.13] tells nothing of the own stories', async () => {
  const caller = await scene.annWithWebhook({ events: ['story', 'message'] });
  await scene.sandbox.call('POST', `/accounts/${ann}/stories`, { media: { kind: 'photo' } });
  await scene.write(bob, ann, 'hello');
  expect((await scene.delivered(caller, 1)).map(({ type }) => type)).toEqual(['MessageReceived']);
});
