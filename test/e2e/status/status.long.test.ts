import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { makeSample } from '../../support/media/scene.ts';

/** `POST /status`, as the sandbox has the story. */

interface Story {
  id: number;
  date: string;
  expires: string;
  caption: string;
  privacy: string;
  media: Record<string, unknown>;
}

const hourMs = 3_600_000;
const files = useFiles();
const writing = useWriting(reachable);
const { arrivals, calls, fault } = writing;

let png: Buffer;
let mp4: Buffer;
let image: { url: string; mimetype: string };
let video: { url: string; mimetype: string; duration: number };
beforeAll(async () => {
  const folder = await createTemporaryFolder();
  png = await sharp({ create: { width: 1080, height: 1920, channels: 3, background: '#338844' } })
    .png()
    .toBuffer();
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=180x320:rate=10:duration=2'];
  mp4 = await makeSample(join(folder.path, 'a.mp4'), ...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  await folder.remove();
});
beforeEach(() => {
  image = { url: files.serve(png), mimetype: 'image/png' };
  video = { url: files.serve(mp4), mimetype: 'video/mp4', duration: 9 };
});

const post = (body: object): Promise<Answer> => writing.scene.request(writing.caller, 'POST', '/status', body);
const stories = (): Promise<Story[]> => writing.scene.sandbox.call('GET', `/accounts/${ann}/stories`);

describe('POST /status', () => {
  it('[ST1.1] an image, with everything left out that may be: for contacts, for 24 hours', async () => {
    const { status, body } = await post({ type: 'image', image });
    expect(status).toBe(200);
    const [story] = await stories();
    expect(body).toEqual({ statusId: String(story?.id), created: story?.date, expires: story?.expires });
    expect(Date.parse(String(body['expires'])) - Date.parse(String(body['created']))).toBe(24 * hourMs);
    expect(story).toMatchObject({
      caption: '',
      privacy: 'contacts',
      media: { kind: 'photo', mime: 'image/jpeg', width: 1080, height: 1920 },
    });
  });

  it('[ST1.1] a video with a caption', async () => {
    const text = 'a <b>story</b>';
    expect(await post({ type: 'video', video, text, parseMode: 'html' })).toMatchObject({ status: 200 });
    const [story] = await stories();
    expect(story).toMatchObject({
      caption: 'a story',
      entities: [{ _: 'messageEntityBold', offset: 2, length: 5 }],
      media: { kind: 'video', mime: 'video/mp4', duration: 2, width: 180, height: 320 },
    });
  });

  it.each(['contacts', 'everyone', 'close_friends'])('[ST1.1] for %s', async (privacy) => {
    expect(await post({ type: 'image', image, privacy })).toMatchObject({ status: 200 });
    expect((await stories())[0]).toMatchObject({ privacy });
  });

  it.each([6, 12, 24, 48])('[ST1.1] for %i hours', async (period) => {
    const { status, body } = await post({ type: 'image', image, period });
    expect(status).toBe(200);
    expect(Date.parse(String(body['expires'])) - Date.parse(String(body['created']))).toBe(period * hourMs);
  });

  it.each<[() => object, string]>([
    [() => ({}), 'type should not be empty'],
    [() => ({ type: 'text', text: 'Hi' }), 'type must be one of the following values: image, video'],
    [() => ({ type: 'image' }), 'image should not be empty'],
    [
      () => ({ type: 'video', video: { url: video.url } }),
      'video.mimetype should not be empty\nvideo.duration must be a positive number',
    ],
    [
      () => ({ type: 'image', image, privacy: 'nobody' }),
      'privacy must be one of the following values: contacts, everyone, close_friends',
    ],
    [() => ({ type: 'image', image, period: 1 }), 'period must be one of the following values: 6, 12, 24, 48'],
  ])('[ER2.2] %s', async (body, message) => {
    const answer = await post(body());
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it.each([
    ['stories.canSendStory', 'STORIES_TOO_MUCH', '400: STORIES_TOO_MUCH (caused by stories.CanSendStory)'],
    ['stories.sendStory', 'STORIES_TOO_MUCH', '400: STORIES_TOO_MUCH (caused by stories.SendStory)'],
  ])('[ER3.1] %s: %s', async (method, error, message) => {
    await fault({ method, error });
    const before = (await stories()).length;
    expect(await post({ type: 'image', image })).toMatchObject(refused(500, message));
    expect(await stories()).toHaveLength(before);
  });

  it('[MS3.2] a file that is no picture is refused, and no story is posted', async () => {
    const before = await calls('stories.sendStory');
    const page = { url: files.serve(Buffer.from('<html>a page</html>')), mimetype: 'image/png' };
    const answer = await post({ type: 'image', image: page });
    expect(answer.status).toBe(500);
    expect(answer.body['message']).toMatch(/^error compress image: /);
    expect(await calls('stories.sendStory')).toBe(before);
  });

  const postKeyed = (key: string, caller = writing.caller): Promise<Answer> => {
    const headers = { ...caller.headers, 'idempotency-key': key };
    return writing.scene.gateway.http.request('POST', '/status', { headers, body: { type: 'image', image } });
  };
  /** Telegram takes it, and the gateway dies before the answer is there. */
  const lose = async (keys: readonly string[], caller = writing.caller): Promise<void> => {
    await fault({ method: 'stories.sendStory', dropAnswer: true, times: keys.length });
    for (const key of keys) {
      const before = await calls('stories.sendStory');
      void postKeyed(key, caller).catch(() => undefined);
      await arrivals('stories.sendStory', before);
    }
    await writing.scene.restart();
    await writing.scene.whilePassing(writing.scene.read(caller, (session) => session.isConnected));
  };

  it('[MS7.1] the same key is one story', async () => {
    const first = await postKeyed('story 1');
    const before = (await stories()).length;
    expect(await postKeyed('story 1')).toMatchObject({ status: 200, body: first.body });
    expect(await stories()).toHaveLength(before);
  });

  it('[MS7.1] two alike whose answers are lost, and then a restart: each key gets its own', async () => {
    await lose(['twin 1', 'twin 2']);
    const posted = (await stories()).slice(0, 2).map(({ id }) => String(id));
    const fetched = files.requests;
    const [first, second] = [await postKeyed('twin 1'), await postKeyed('twin 2')];
    expect([second.body['statusId'], first.body['statusId']]).toEqual(posted);
    expect(files.requests).toBe(fetched);
  });

  it('[MS7.3] the last one that there was room for, its answer lost: it is found, not refused', async () => {
    const cara = await writing.scene.connected('1003');
    const own = (): Promise<Story[]> => writing.scene.sandbox.call('GET', '/accounts/1003/stories');
    for (const key of ['room 1', 'room 2']) expect(await postKeyed(key, cara)).toMatchObject({ status: 200 });
    await lose(['room 3'], cara);
    expect(await postKeyed('room 4', cara)).toMatchObject(
      refused(500, '400: STORIES_TOO_MUCH (caused by stories.CanSendStory)'),
    );
    const [last] = await own();
    expect(await postKeyed('room 3', cara)).toMatchObject({ status: 200, body: { statusId: String(last?.id) } });
    expect(await own()).toHaveLength(3);
    await writing.scene.request(cara, 'DELETE', '/session');
  });

  it('[MS7.4] of a story that Telegram has no room for, or that cannot be uploaded, the key stays free', async () => {
    const headers = { ...writing.caller.headers, 'idempotency-key': 'free story' };
    for (const method of ['stories.canSendStory', 'upload.saveFilePart']) {
      await fault({ method, error: 'STORIES_TOO_MUCH' });
      expect(await postKeyed('free story')).toMatchObject({ status: 500 });
    }
    const body = { type: 'image', image, text: 'another one' };
    expect(await writing.scene.gateway.http.request('POST', '/status', { headers, body })).toMatchObject({
      status: 200,
    });
  });

  it('[AU2.1] needs a connected session', async () => {
    const other = await writing.scene.create();
    expect(await writing.scene.request(other, 'POST', '/status', { type: 'image', image })).toMatchObject(
      refused(500, 'session not connected'),
    );
  });
});
