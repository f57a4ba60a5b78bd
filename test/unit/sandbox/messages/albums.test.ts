import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import { caraId, type MessageScene, openMessageScene, refusedWith } from '../../../support/sandbox/message-scene.ts';

const jpeg = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#36c' } })
  .jpeg()
  .toBuffer();

let scene: MessageScene;
beforeEach(async () => {
  scene = await openMessageScene();
});

const toCara = () => scene.user(scene.ann, caraId);
let lastFile = 100n;
async function uploaded(name = 'inputMediaUploadedPhoto', more: Record<string, unknown> = {}): Promise<TlObject> {
  lastFile += 1n;
  const bytes = name === 'inputMediaUploadedPhoto' ? jpeg : Buffer.from('the bytes');
  await scene.call(scene.ann, 'upload.saveFilePart', { file_id: lastFile, file_part: 0, bytes });
  const file = { _: 'inputFile', id: lastFile, parts: 1, name: 'x', md5_checksum: '' };
  return { _: name, file, ...more };
}
async function stored(name?: string, more?: Record<string, unknown>): Promise<TlObject> {
  const media = await scene.call(scene.ann, 'messages.uploadMedia', {
    peer: toCara(),
    media: await uploaded(name, more),
  });
  const kind = media['photo'] ? 'Photo' : 'Document';
  const { id, access_hash, file_reference } = media['photo'] ?? media['document'];
  return { _: `inputMedia${kind}`, id: { _: `input${kind}`, id, access_hash, file_reference } };
}
const item = (media: TlObject, message = '', random_id = scene.nextRandomId()) => ({
  _: 'inputSingleMedia',
  media,
  random_id,
  message,
});
const sendAlbum = (multi_media: TlObject[], peer = toCara()) =>
  scene.call(scene.ann, 'messages.sendMultiMedia', { peer, multi_media });

describe('messages.uploadMedia', () => {
  it('[SM1.1] stores a file for later sends, and sends nothing', async () => {
    const media = await stored();
    expect(scene.pushed).toEqual([]);
    const answer = await scene.call(scene.ann, 'messages.sendMedia', {
      peer: toCara(),
      media,
      message: 'later',
      random_id: scene.nextRandomId(),
    });
    expect(answer['updates'][1].message.media.photo.id).toBe(media['id'].id);
  });
});

describe('messages.sendMultiMedia', () => {
  it('[SM1.2] sends an album: one group, an ID for each item, pushed to both users', async () => {
    const pts = (await scene.state(scene.ann))['pts'];
    const items = [item(await stored(), 'first'), item(await stored()), item(await stored())];
    const { updates } = await sendAlbum(items);
    expect(updates.map(({ _: name }: TlObject) => name)).toEqual([
      ...items.map(() => 'updateMessageID'),
      ...items.map(() => 'updateNewMessage'),
    ]);
    expect(updates.slice(0, 3).map(({ random_id }: TlObject) => random_id)).toEqual(
      items.map(({ random_id }) => random_id),
    );
    const messages = updates.slice(3).map(({ message }: TlObject) => message) as TlObject[];
    expect(new Set(messages.map(({ grouped_id }) => grouped_id)).size).toBe(1);
    expect(messages[0]).toMatchObject({ message: 'first', grouped_id: expect.any(BigInt) });
    expect(updates.slice(3).map((update: TlObject) => [update['pts'], update['pts_count']])).toEqual([
      [pts + 1, 1],
      [pts + 2, 1],
      [pts + 3, 1],
    ]);
    const seen = scene.pushedTo(scene.cara).map(({ message }) => message);
    expect(seen.map(({ grouped_id }) => grouped_id)).toEqual(messages.map(({ grouped_id }) => grouped_id));
  });

  it('[SM1.2] gives another album another group, and a single item none', async () => {
    const groups = [];
    for (const count of [2, 2, 1]) {
      const { updates } = await sendAlbum(
        await Promise.all(Array.from({ length: count }, async () => item(await stored()))),
      );
      groups.push(updates.at(-1).message.grouped_id);
    }
    expect(new Set(groups).size).toBe(3);
    expect(groups[2]).toBeUndefined();
  });

  it('[SM1.3] sends all items or none', async () => {
    const before = await scene.history(scene.ann, toCara());
    const known = { ...(await stored()) };
    const expired = { ...known, id: { ...known['id'], access_hash: 1n } };
    await expect(sendAlbum([item(known), item(expired)])).rejects.toMatchObject(refusedWith('MEDIA_EMPTY'));
    expect(await scene.history(scene.ann, toCara())).toEqual(before);
  });

  it('[SM1.3] answers a repeated album as before', async () => {
    const items = [item(await stored()), item(await stored())];
    const first = await sendAlbum(items);
    const ids = (answer: TlObject) => answer['updates'].slice(0, 2).map(({ id }: TlObject) => id);
    const again = await sendAlbum(items);
    expect(ids(again)).toEqual(ids(first));
    expect(again['updates'].at(-1)).toMatchObject({ _: 'updateNewMessage', pts_count: 0 });
    const mixed = [items[0] as TlObject, item(await stored())];
    await expect(sendAlbum(mixed)).rejects.toMatchObject(refusedWith('RANDOM_ID_DUPLICATE', 500));
  });

  it('[SM1.4] refuses what no album may hold, and mixtures', async () => {
    const photo = await stored();
    const file = await stored('inputMediaUploadedDocument', { mime_type: 'text/plain', attributes: [] });
    const video = await stored('inputMediaUploadedDocument', {
      mime_type: 'video/mp4',
      attributes: [{ _: 'documentAttributeVideo', duration: 1, w: 2, h: 2 }],
    });
    const voice = await stored('inputMediaUploadedDocument', {
      mime_type: 'audio/ogg',
      attributes: [{ _: 'documentAttributeAudio', duration: 1, voice: true }],
    });
    expect((await sendAlbum([item(photo), item(video)]))['updates']).toHaveLength(4);
    const refusals = [
      ['MEDIA_GROUPED_INVALID', [item(photo), item(file)]],
      ['MEDIA_INVALID', [item(photo), item(voice)]],
      ['MEDIA_INVALID', [item(await uploaded()), item(photo)]],
      ['MEDIA_EMPTY', []],
      ['MULTI_MEDIA_TOO_LONG', Array.from({ length: 11 }, () => item(photo))],
      ['RANDOM_ID_EMPTY', [item(photo, '', 0n), item(photo)]],
      ['MEDIA_CAPTION_TOO_LONG', [item(photo, 'x'.repeat(1_025)), item(photo)]],
    ] as const;
    for (const [text, items] of refusals) {
      await expect(sendAlbum([...items])).rejects.toMatchObject(refusedWith(text));
    }
    const same = scene.nextRandomId();
    const twice = sendAlbum([item(photo, '', same), item(photo, '', same)]);
    await expect(twice).rejects.toMatchObject(refusedWith('RANDOM_ID_DUPLICATE', 500));
    const slow = sendAlbum([item(photo), item(photo)], scene.channel(scene.ann, 3004));
    await expect(slow).rejects.toMatchObject(refusedWith('SLOWMODE_MULTI_MSGS_DISABLED'));
  });
});
