import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import {
  caraId,
  dailyId,
  type MessageScene,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

const jpeg = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#36c' } })
  .jpeg()
  .toBuffer();

let scene: MessageScene;
let photo: TlObject;
beforeEach(async () => {
  scene = await openMessageScene();
  await scene.call(scene.ann, 'upload.saveFilePart', { file_id: 1n, file_part: 0, bytes: jpeg });
  photo = { _: 'inputMediaUploadedPhoto', file: { _: 'inputFile', id: 1n, parts: 1, name: 'x', md5_checksum: '' } };
});

const edit = (peer: TlObject, id: number, change: Record<string, unknown>) =>
  scene.call(scene.ann, 'messages.editMessage', { peer, id, ...change });

it('[SM13.1] a text gets a photo, and the caption stays', async () => {
  const peer = scene.user(scene.ann, caraId);
  const id = await scene.send(scene.ann, peer, 'a caption');
  scene.pushed.length = 0;
  const { updates } = await edit(peer, id, { media: photo });
  const message = { message: 'a caption', media: { _: 'messageMediaPhoto' }, edit_date: scene.world.now() };
  expect(updates).toMatchObject([{ _: 'updateEditMessage', pts_count: 1, message }]);
  expect(scene.pushedTo(scene.cara)).toMatchObject([{ _: 'updateEditMessage', message }]);
  const long = edit(peer, id, { message: 'x'.repeat(1_025) });
  await expect(long).rejects.toMatchObject(refusedWith('MEDIA_CAPTION_TOO_LONG'));
  expect((await edit(peer, id, { message: '' }))['updates'][0].message.message).toBe('');
});

it('[SM13.1] a photo takes the place of another one, also in an album, and of nothing else', async () => {
  const daily = scene.channel(scene.ann, dailyId);
  const before = scene.world.tables.message('channel:4001', 41)?.media;
  expect((await edit(daily, 41, { media: photo }))['updates'][0]).toMatchObject({ _: 'updateEditChannelMessage' });
  expect(scene.world.tables.message('channel:4001', 41)?.media).not.toEqual(before);
  const posts = await scene.history(scene.ann, daily, 40);
  const poll = posts.find(({ media }) => media?._ === 'messageMediaPoll') as TlObject;
  await expect(edit(daily, poll['id'], { media: photo })).rejects.toMatchObject(refusedWith('MEDIA_PREV_INVALID'));
  const file = { ...photo, _: 'inputMediaUploadedDocument', mime_type: 'text/plain', attributes: [] };
  await expect(edit(daily, 41, { media: file })).rejects.toMatchObject(refusedWith('MEDIA_GROUPED_INVALID'));
  await expect(edit(daily, 41, {})).rejects.toMatchObject(refusedWith('MESSAGE_NOT_MODIFIED'));
});
