import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { expireFileReferences } from '../../../../sandbox/world/files/file-reference.ts';
import { identicon } from '../../../../sandbox/world/files/identicon.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = await fixture.logIn(1001);
});

const daily = (): TlObject => ({
  _: 'inputChannel',
  channel_id: 4001n,
  access_hash: accessHash(fixture.world, 1001, 'channel', 4001),
});
const mediaOf = async (id: number): Promise<TlObject> => {
  const ids = [{ _: 'inputMessageID', id }];
  return (await fixture.call(ann, 'channels.getMessages', { channel: daily(), id: ids })).messages[0].media;
};
const photoLocation = (photo: TlObject, thumb_size: string): TlObject => {
  const { id, access_hash, file_reference } = photo;
  return { _: 'inputPhotoFileLocation', id, access_hash, file_reference, thumb_size };
};
const getFile = (location: TlObject, offset = 0n, limit = 1_048_576, key = ann) =>
  fixture.call(key, 'upload.getFile', { location, offset, limit });
const rejected = (code: number, text: string) => ({ code, text });

describe('pictures', () => {
  it.each([
    [160, 160],
    [1, 1],
    [1280, 853],
  ])('are valid JPEG files (%d×%d)', async (width, height) => {
    const { info, data } = await sharp(identicon(7, width, height))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height, channels: 3 });
    if (width > 8) expect(new Set(data).size).toBeGreaterThan(10);
  });

  it('can be downloaded in all sizes of a message, with the stated lengths', async () => {
    const { photo } = await mediaOf(200);
    expect(photo.sizes.map(({ type, w, h }: TlObject) => [type, w, h])).toEqual([
      ['s', 100, 67],
      ['m', 320, 213],
      ['x', 800, 533],
      ['y', 1280, 853],
      ['w', 2560, 1707],
    ]);
    for (const { type, size, sizes } of photo.sizes) {
      const { bytes } = await getFile(photoLocation(photo, type));
      expect(bytes.length).toBe(size ?? sizes.at(-1));
    }
    expect(photo.sizes.at(-1)).toMatchObject({ _: 'photoSizeProgressive' });
  });
});

describe('a profile photo', () => {
  const location = (photo_id: bigint, big: boolean): TlObject => ({
    _: 'inputPeerPhotoFileLocation',
    peer: { _: 'inputPeerSelf' },
    photo_id,
    big,
  });

  it('has a small and a big size', async () => {
    const [me] = (await fixture.call(ann, 'users.getUsers', { id: [{ _: 'inputUserSelf' }] })) as unknown as TlObject[];
    const sizes = [];
    for (const big of [false, true]) {
      const { bytes, type } = await getFile(location(me?.photo.photo_id, big));
      expect(type).toEqual({ _: 'storage.fileJpeg' });
      sizes.push((await sharp(bytes as Buffer).metadata()).width);
    }
    expect(sizes).toEqual([160, 640]);
    await expect(getFile(location(1n, true))).rejects.toMatchObject(rejected(400, 'LOCATION_INVALID'));
  });
});

describe('upload.getFile', () => {
  it.each([
    [1n, 4096, 'OFFSET_INVALID'],
    [0n, 1000, 'LIMIT_INVALID'],
    [0n, 2_097_152, 'LIMIT_INVALID'],
    [0n, 12_288, 'LIMIT_INVALID'],
    [1_044_480n, 8192, 'LIMIT_INVALID'],
  ])('applies its limits: offset %d, limit %d', async (offset, limit, text) => {
    const { photo } = await mediaOf(200);
    await expect(getFile(photoLocation(photo, 'w'), offset, limit)).rejects.toMatchObject(rejected(400, text));
  });

  it('names the data centre of the file, which serves any part of it', async () => {
    const { document } = await mediaOf(210);
    const { id, access_hash, file_reference } = document;
    const location = { _: 'inputDocumentFileLocation', id, access_hash, file_reference, thumb_size: '' };
    await expect(getFile(location)).rejects.toMatchObject(rejected(303, 'FILE_MIGRATE_4'));
    const exported = await fixture.call(ann, 'auth.exportAuthorization', { dc_id: 4 });
    const there = fixture.key(4);
    await fixture.call(there, 'auth.importAuthorization', { id: exported.id, bytes: exported.bytes });
    const whole = (await getFile(location, 0n, 1_048_576, there)).bytes as Buffer;
    const part = (await getFile(location, 524_288n, 4096, there)).bytes as Buffer;
    expect(part.equals(whole.subarray(524_288, 528_384))).toBe(true);
    const end = (await getFile(location, 3_145_728n, 1_048_576, there)).bytes as Buffer;
    expect(end.length).toBe(3_466_798 - 3_145_728);
    expect((await getFile(location, 4_194_304n, 4096, there)).bytes).toHaveLength(0);
  });

  it('checks file references: forged, of another user, old, and expired by a fault', async () => {
    const { photo } = await mediaOf(200);
    const forged = { ...photoLocation(photo, 'm'), file_reference: Buffer.alloc(25) };
    await expect(getFile(forged)).rejects.toMatchObject(rejected(400, 'FILE_REFERENCE_INVALID'));
    const others = {
      ...photoLocation(photo, 'm'),
      access_hash: accessHash(fixture.world, 1002, 'file', Number(photo.id)),
    };
    await expect(getFile(others)).rejects.toMatchObject(rejected(400, 'LOCATION_INVALID'));
    fixture.clock.time += 3_601_000;
    await expect(getFile(photoLocation(photo, 'm'))).rejects.toMatchObject(rejected(400, 'FILE_REFERENCE_EXPIRED'));
    const fresh = (await mediaOf(200)).photo;
    expect(await getFile(photoLocation(fresh, 'm'))).toMatchObject({ _: 'upload.file' });
    expireFileReferences(fixture.world);
    await expect(getFile(photoLocation(fresh, 'm'))).rejects.toMatchObject(rejected(400, 'FILE_REFERENCE_EXPIRED'));
  });
});

describe('an upload', () => {
  it('is assembled from its parts and downloads unchanged', async () => {
    const bytes = Buffer.alloc(1_300_000, 'sandbox');
    for (let part = 0; part < 3; part += 1) {
      const piece = bytes.subarray(part * 524_288, (part + 1) * 524_288);
      const of = { file_id: 9n, file_part: part, file_total_parts: 3, bytes: piece };
      expect(await fixture.call(ann, 'upload.saveBigFilePart', of)).toBe(true);
    }
    const answer = await fixture.call(ann, 'messages.sendMedia', {
      peer: { _: 'inputPeerSelf' },
      message: '',
      random_id: 1n,
      media: {
        _: 'inputMediaUploadedDocument',
        file: { _: 'inputFileBig', id: 9n, parts: 3, name: 'x.bin' },
        mime_type: 'application/octet-stream',
        attributes: [{ _: 'documentAttributeFilename', file_name: 'x.bin' }],
      },
    });
    const { document } = answer.updates[1].message.media;
    const { id, access_hash, file_reference } = document;
    const location = { _: 'inputDocumentFileLocation', id, access_hash, file_reference, thumb_size: '' };
    const first = (await getFile(location, 0n)).bytes as Buffer;
    const second = (await getFile(location, 1_048_576n)).bytes as Buffer;
    expect(Buffer.concat([first, second]).equals(bytes)).toBe(true);
  });

  it('is refused if a part is missing', async () => {
    await fixture.call(ann, 'upload.saveFilePart', { file_id: 8n, file_part: 0, bytes: Buffer.alloc(1024) });
    const file = { _: 'inputFile', id: 8n, parts: 2, name: 'x' };
    const media = { _: 'inputMediaUploadedDocument', file, mime_type: 'text/plain', attributes: [] };
    const sending = fixture.call(ann, 'messages.sendMedia', {
      peer: { _: 'inputPeerSelf' },
      message: '',
      random_id: 2n,
      media,
    });
    await expect(sending).rejects.toMatchObject(rejected(400, 'FILE_PART_1_MISSING'));
  });
});
