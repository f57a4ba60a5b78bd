import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { TelegramAccount } from '../../../../../src/telegram/port/account.ts';
import type { OutgoingStory, PostedStory } from '../../../../../src/telegram/port/outgoing.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { noise, seededJpeg, writeOutgoing } from '../../../../support/telegram/outgoing-files.ts';
import { openScene, type Scene, until, watch } from '../../../../support/telegram/scene.ts';

const anyTime = new LightAbort();
let folder: TemporaryFolder;
let scene: Scene;
let ann: TelegramAccount;
let lastRandomId = 0n;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  scene = await openScene();
  ann = (await scene.loggedIn('ann', '1001')).account();
});
afterEach(async () => {
  await scene.close();
  await folder.remove();
});

async function story(changes: Partial<OutgoingStory> = {}): Promise<OutgoingStory> {
  const file = await writeOutgoing(folder.path, await seededJpeg(scene), 's.jpg', 'image/jpeg');
  return {
    media: { kind: 'photo', file },
    caption: { text: '', entities: [] },
    privacy: 'contacts',
    periodSeconds: 86_400,
    ...changes,
  };
}
async function post(changes: Partial<OutgoingStory> = {}): Promise<PostedStory> {
  const mark = { randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
  return ann.postStory(await story(changes), () => Promise.resolve(mark), false, anyTime);
}
const posted = (): Promise<{ id: number; date: string; expires: string }[]> =>
  scene.control('GET', '/accounts/1001/stories');

it.each(['contacts', 'everyone', 'close_friends'] as const)('[ST1.1] is posted for %s', async (privacy) => {
  const caption = { text: 'look here', entities: [{ type: 'bold', offset: 0, length: 4 }] } as const;
  const answer = await post({ privacy, caption });
  const [shown] = await posted();
  expect(shown).toMatchObject({ id: answer.id, caption: 'look here', privacy, media: { kind: 'photo' } });
  expect(JSON.stringify(shown)).toContain('messageEntityBold');
  expect(new Date(answer.created).toISOString()).toBe(shown?.date);
  expect(new Date(answer.expires).toISOString()).toBe(shown?.expires);
  expect(answer.expires - answer.created).toBe(86_400_000);
});

it('[ST1.1] is known in whichever form Telegram answers', async () => {
  const answers = [await post(), await post(), await post()];
  const shown = (await posted()).toReversed();
  expect(answers).toEqual(
    shown.map(({ id, date, expires }) => ({ id, created: Date.parse(date), expires: Date.parse(expires) })),
  );
  expect(await scene.control('GET', '/calls?method=stories.getStoriesByID')).toHaveLength(1);
});

it.each([
  ['refuses it', { error: 'STORIES_NOT_AVAILABLE' }],
  ['asks to wait an hour', { error: 'FLOOD_WAIT_3600' }],
  ['does not answer', { dropAnswer: true }],
])('[ST1.2] is posted where its look-up fails: Telegram %s', async (_, fault) => {
  const method = 'stories.getStoriesByID';
  await scene.control('POST', '/faults', { method, ...fault, times: 99 });
  const before = scene.clock.now();
  for (let n = 0; n < 3; n += 1) {
    const posting = post();
    const seen = watch(posting);
    await until(async () => {
      await scene.live(1_000);
      return seen.settled !== 'no';
    });
    const { id, created, expires } = await posting;
    expect(id).toBe((await posted())[0]?.id);
    expect(expires - created).toBe(86_400_000);
    expect(Math.abs(created - before)).toBeLessThan(120_000);
  }
  expect((await scene.control<unknown[]>('GET', `/calls?method=${method}`)).length).toBeGreaterThan(0);
});

it('[ST1.2] [MS7.3] is posted where its answer is lost and its look-up fails', async () => {
  await scene.control('POST', '/faults', { method: 'stories.sendStory', dropAnswer: true });
  await scene.control('POST', '/faults', {
    method: 'stories.getStoriesByID',
    error: 'STORIES_NOT_AVAILABLE',
    times: 99,
  });
  const posting = post();
  const seen = watch(posting);
  await until(async () => {
    await scene.live(1_000);
    return seen.settled !== 'no';
  });
  const { id, created, expires } = await posting;
  const [shown, ...others] = await posted();
  expect(others).toEqual([]);
  expect(id).toBe(shown?.id);
  expect(expires - created).toBe(86_400_000);
  expect(await scene.control('GET', '/calls?method=stories.getStoriesByID')).not.toEqual([]);
});

it('[ST1.1] may be a video', async () => {
  const file = await writeOutgoing(folder.path, noise(3_000), 's.mp4', 'video/mp4');
  const video = { kind: 'video', file, duration: 3, width: 720, height: 1280 } as const;
  await post({ media: video });
  expect((await posted())[0]).toMatchObject({ media: { kind: 'video', duration: 3, width: 720, height: 1280 } });
});

it('[ST1.1] that Telegram refuses passes its error on, before anything is uploaded where it can be', async () => {
  await expect(post({ periodSeconds: 1 })).rejects.toThrow('400: STORY_PERIOD_INVALID (caused by stories.SendStory)');
  await scene.control('POST', '/faults', { method: 'stories.canSendStory', error: 'STORIES_TOO_MUCH' });
  const uploads = (): Promise<unknown[]> => scene.control('GET', '/calls?method=upload.saveFilePart');
  const before = (await uploads()).length;
  await expect(post()).rejects.toThrow('400: STORIES_TOO_MUCH (caused by stories.CanSendStory)');
  expect(await uploads()).toHaveLength(before);
});

it('[MS7.3] that may be out already is not refused for want of room', async () => {
  const mark = { randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
  const again = async (): Promise<PostedStory> => ann.postStory(await story(), async () => mark, true, anyTime);
  const first = await again();
  await scene.control('POST', '/faults', { method: 'stories.canSendStory', error: 'STORIES_TOO_MUCH' });
  await scene.control('POST', '/faults', { method: 'updates.getDifference', error: 'INPUT_INVALID', times: 99 });
  expect(await again()).toEqual(first);
  expect(await posted()).toHaveLength(1);
});

it.each(['tells', 'does not tell'])(
  '[MS7.3] is not posted twice where the answer is lost; Telegram %s its ID',
  async (how) => {
    await post();
    if (how !== 'tells') {
      await scene.control('POST', '/faults', { method: 'updates.getDifference', error: 'INPUT_INVALID', times: 99 });
    }
    await scene.control('POST', '/faults', { method: 'stories.sendStory', dropAnswer: true });
    const posting = post({ caption: { text: 'this one', entities: [] } });
    const seen = watch(posting);
    await until(async () => {
      await scene.live(1_000);
      return seen.settled !== 'no';
    });
    const all = await posted();
    expect(all).toHaveLength(2);
    expect((await posting).id).toBe(all[0]?.id);
  },
);
