import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { chunksOf } from '../../../../sandbox/world/files/file-content.ts';
import type { FileRow } from '../../../../sandbox/world/state/file-rows.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  fixture = await openWorldFixture({ folder });
  ann = await fixture.logIn(1001);
});
afterEach(() => {
  fixture.world.close();
  rmSync(folder, { recursive: true, force: true });
});

const rejected = (text: string, code = 400) => ({ code, text });
const partBytes = 524_288;
let lastId = 100n;

const savePart = (file_id: bigint, file_part: number, bytes: Buffer) =>
  fixture.call(ann, 'upload.saveFilePart', { file_id, file_part, bytes });
const saveBigPart = (file_id: bigint, file_part: number, file_total_parts: number, bytes: Buffer) =>
  fixture.call(ann, 'upload.saveBigFilePart', { file_id, file_part, file_total_parts, bytes });

async function uploaded(bytes: Buffer): Promise<TlObject> {
  lastId += 1n;
  const parts = Math.ceil(bytes.length / partBytes);
  for (let part = 0; part < parts; part += 1) {
    await savePart(lastId, part, bytes.subarray(part * partBytes, (part + 1) * partBytes));
  }
  return { _: 'inputFile', id: lastId, parts, name: 'x', md5_checksum: '' };
}

const send = (media: TlObject, more: Record<string, unknown> = {}) => {
  lastId += 1n;
  const peer = { _: 'inputPeerSelf' };
  return fixture.call(ann, 'messages.sendMedia', { peer, message: '', random_id: lastId, media, ...more });
};
const document = (file: TlObject, more: Record<string, unknown> = {}): TlObject => ({
  _: 'inputMediaUploadedDocument',
  file,
  mime_type: 'application/octet-stream',
  attributes: [],
  ...more,
});
const photo = (file: TlObject): TlObject => ({ _: 'inputMediaUploadedPhoto', file });
const sentMedia = async (media: TlObject): Promise<TlObject> => (await send(media)).updates[1].message.media;

function bytesOf({ id }: TlObject, type = ''): Buffer {
  const file = fixture.world.tables.files.get(String(id)) as FileRow;
  const content = type ? file.sizes.find((size) => size.type === type)?.content : file.content;
  if (!content) throw new Error('no such size');
  return Buffer.concat([...chunksOf(fixture.world, file, type, content)]);
}
const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'webp') =>
  sharp({ create: { width, height, channels: 3, background: '#36c' } })
    .toFormat(format)
    .toBuffer();

describe('upload.saveFilePart', () => {
  it.each([
    ['FILE_PART_INVALID', -1, 1024],
    ['FILE_PART_INVALID', 8000, 1024],
    ['FILE_PART_EMPTY', 0, 0],
    ['FILE_PART_TOO_BIG', 0, partBytes + 1],
  ])('refuses an invalid part: %s', async (text, part, size) => {
    await expect(savePart(1n, part, Buffer.alloc(size))).rejects.toMatchObject(rejected(text));
  });

  it.each([
    ['FILE_PART_SIZE_INVALID', 0, 3, 1000],
    ['FILE_PART_SIZE_INVALID', 0, 3, 3 * 1024],
    ['FILE_PARTS_INVALID', 3, 3, 1024],
    ['FILE_PARTS_INVALID', 0, 0, 1024],
    ['FILE_PARTS_INVALID', 0, 8001, 1024],
  ])('refuses an invalid part of a big file: %s', async (text, part, total, size) => {
    await expect(saveBigPart(2n, part, total, Buffer.alloc(size))).rejects.toMatchObject(rejected(text));
  });

  it('takes 4,000 parts of a free account, and 8,000 of one with premium', async () => {
    const cara = await fixture.logIn(1003);
    const save = (key: typeof ann, part: number, total: number) => {
      const bytes = Buffer.alloc(1024);
      const params = { file_id: BigInt(total), file_part: part, file_total_parts: total, bytes };
      return fixture.call(key, 'upload.saveBigFilePart', params);
    };
    expect(await save(cara, 3_999, 4_000)).toBe(true);
    await expect(save(cara, 0, 4_001)).rejects.toMatchObject(rejected('FILE_PARTS_INVALID'));
    expect(await save(ann, 7_999, 8_000)).toBe(true);
  });

  it('refuses parts that contradict each other', async () => {
    await saveBigPart(3n, 0, 3, Buffer.alloc(2048));
    await expect(saveBigPart(3n, 1, 3, Buffer.alloc(1024))).rejects.toMatchObject(rejected('FILE_PART_SIZE_CHANGED'));
    await expect(saveBigPart(3n, 1, 4, Buffer.alloc(2048))).rejects.toMatchObject(rejected('FILE_PARTS_INVALID'));
    await savePart(4n, 0, Buffer.alloc(1024));
    await savePart(4n, 1, Buffer.alloc(2048));
    const file = { _: 'inputFile', id: 4n, parts: 2, name: 'x', md5_checksum: '' };
    await expect(send(document(file))).rejects.toMatchObject(rejected('FILE_PART_SIZE_CHANGED'));
  });
});

describe('an uploaded file', () => {
  /** Each 4 KB begins with its offset. */
  const numbered = (length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at + 4 <= length; at += 4096) bytes.writeUInt32BE(at, at);
    return bytes;
  };
  const total = 40;
  /** The last part comes first. */
  const mixed = Array.from({ length: total }, (_, part) => (part * 7 + 39) % total);

  it.each([
    ['parts in any order, some of them sent twice', partBytes, [...mixed, 5, 39]],
    ['small parts in any order', partBytes / 4, [...mixed, 39]],
    ['small parts in order', partBytes / 4, mixed.toSorted((a, b) => a - b)],
  ])('is assembled: %s', async (_, step, order) => {
    const bytes = numbered(total * step - 30_001);
    for (const part of order) {
      await saveBigPart(9n, part, total, bytes.subarray(part * step, (part + 1) * step));
    }
    const sent = await sentMedia(document({ _: 'inputFileBig', id: 9n, parts: total, name: 'x' }));
    expect(bytesOf(sent['document']).equals(bytes)).toBe(true);
  });

  it('is assembled if only its last parts name the number of parts', async () => {
    const step = partBytes / 2;
    const bytes = numbered(3 * step);
    const parts = [
      [1, -1],
      [2, 3],
      [0, 3],
    ] as const;
    for (const [part, of] of parts) await saveBigPart(9n, part, of, bytes.subarray(part * step, (part + 1) * step));
    const sent = await sentMedia(document({ _: 'inputFileBig', id: 9n, parts: 3, name: 'x' }));
    expect(bytesOf(sent['document']).equals(bytes)).toBe(true);
  });

  it('is not copied if its parts were written to their final offsets, in any order', async () => {
    const bytes = numbered(4 * partBytes);
    for (const part of [2, 0, 3, 1]) {
      await saveBigPart(9n, part, 4, bytes.subarray(part * partBytes, (part + 1) * partBytes));
    }
    const files = join(folder, 'files');
    const inodes = () => readdirSync(files).map((name) => statSync(join(files, name)).ino);
    const before = inodes();
    await sentMedia(document({ _: 'inputFileBig', id: 9n, parts: 4, name: 'x' }));
    expect(inodes()).toEqual(before);
  });

  it('may be sent again, and survives a restart', async () => {
    const file = await uploaded(Buffer.alloc(600_000, 'twice'));
    await sentMedia(document(file));
    const again = await sentMedia(document(file));
    fixture.world.close();
    fixture = await openWorldFixture({ folder });
    expect(bytesOf(again['document']).equals(Buffer.alloc(600_000, 'twice'))).toBe(true);
  });

  it.each([
    ['FILE_PARTS_INVALID', { id: 77n, parts: 1 }],
    ['FILE_PARTS_INVALID', { parts: 0 }],
    ['FILE_PART_1_MISSING', { parts: 2 }],
    ['MD5_CHECKSUM_INVALID', { md5_checksum: createHash('md5').update('y').digest('hex') }],
  ])('is refused: %s', async (text, more) => {
    const file = { ...(await uploaded(Buffer.from('x'))), ...more };
    await expect(send(document(file))).rejects.toMatchObject(rejected(text));
  });

  it('is deleted after an hour without new parts', async () => {
    const file = await uploaded(Buffer.alloc(1024));
    fixture.clock.time += 3_600_001;
    await savePart(1n, 0, Buffer.alloc(1024));
    await expect(send(document(file))).rejects.toMatchObject(rejected('FILE_PARTS_INVALID'));
    expect(readdirSync(join(folder, 'files'))).toHaveLength(1);
  });

  it('leaves no files behind in a world without a folder', async () => {
    const other = await openWorldFixture();
    const key = await other.logIn(1001);
    await other.call(key, 'upload.saveFilePart', { file_id: 1n, file_part: 0, bytes: Buffer.alloc(1024) });
    const path = other.world.blobs.path('');
    expect(readdirSync(path)).toHaveLength(1);
    other.world.close();
    expect(existsSync(path)).toBe(false);
    // A call that is still running must not make another folder: nothing would remove it.
    await expect(
      other.call(key, 'upload.saveFilePart', { file_id: 2n, file_part: 0, bytes: Buffer.alloc(1024) }),
    ).rejects.toThrow('the world is closed');
    expect(() => other.world.blobs.path('')).toThrow('the world is closed');
  });
});

describe('an uploaded photo', () => {
  it('that is a JPEG stays unchanged and gets the smaller sizes', async () => {
    const bytes = await picture(2000, 1000, 'jpeg');
    const { photo: sent } = await sentMedia(photo(await uploaded(bytes)));
    expect(sent.sizes.map(({ type, w, h }: TlObject) => [type, w, h])).toEqual([
      ['s', 100, 50],
      ['m', 320, 160],
      ['x', 800, 400],
      ['y', 1280, 640],
      ['w', 2000, 1000],
    ]);
    expect(bytesOf(sent, 'w').equals(bytes)).toBe(true);
    expect(await sharp(bytesOf(sent, 'x')).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 400 });
  });

  it.each(['png', 'webp'] as const)('of another format becomes a JPEG: %s', async (format) => {
    const { photo: sent } = await sentMedia(photo(await uploaded(await picture(300, 200, format))));
    expect(await sharp(bytesOf(sent, 'm')).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 200 });
  });

  it('is refused with the matching error', async () => {
    const refused = async (bytes: Buffer, text: string) =>
      expect(send(photo(await uploaded(bytes)))).rejects.toMatchObject(rejected(text));
    await refused(Buffer.from('no picture'), 'IMAGE_PROCESS_FAILED');
    await refused((await picture(200, 200, 'jpeg')).subarray(0, 100), 'IMAGE_PROCESS_FAILED');
    await refused(await picture(2100, 100, 'jpeg'), 'PHOTO_INVALID_DIMENSIONS');
    await refused(await picture(9000, 1001, 'jpeg'), 'PHOTO_INVALID_DIMENSIONS');
    await refused(Buffer.alloc(10_485_761), 'PHOTO_SAVE_FILE_INVALID');
  });
});

describe('an uploaded video', () => {
  it('keeps the attributes and the thumbnail of its sender', async () => {
    const thumb = await picture(320, 180, 'jpeg');
    const attributes = [
      { _: 'documentAttributeVideo', supports_streaming: true, duration: 7, w: 640, h: 360 },
      { _: 'documentAttributeFilename', file_name: 'sea.mp4' },
    ];
    const more = { mime_type: 'video/mp4', attributes, thumb: await uploaded(thumb) };
    const { video, document: sent } = await sentMedia(document(await uploaded(Buffer.alloc(5000)), more));
    expect({ video, sent }).toMatchObject({ video: true, sent: { mime_type: 'video/mp4', attributes } });
    expect(sent.thumbs).toMatchObject([{ type: 'm', w: 320, h: 180, size: thumb.length }]);
    expect(bytesOf(sent, 'm').equals(thumb)).toBe(true);
  });

  it('loses an invalid thumbnail', async () => {
    for (const thumb of [Buffer.from('no'), await picture(321, 10, 'jpeg'), await picture(10, 10, 'png')]) {
      const more = { thumb: await uploaded(thumb) };
      const { document: sent } = await sentMedia(document(await uploaded(Buffer.alloc(10)), more));
      expect(sent.thumbs).toBeUndefined();
    }
  });
});

describe('messages.sendMedia', () => {
  const geo_point = { _: 'inputGeoPoint', lat: 52.5, long: 13.4 };

  it('accepts places and contacts', async () => {
    expect(await sentMedia({ _: 'inputMediaGeoPoint', geo_point })).toMatchObject({
      _: 'messageMediaGeo',
      geo: { lat: 52.5, long: 13.4 },
    });
    const venue = { title: 'Lab', address: '1 Bench St', provider: '', venue_id: '', venue_type: '' };
    expect(await sentMedia({ _: 'inputMediaVenue', geo_point, ...venue })).toMatchObject(venue);
    const contact = { phone_number: '15550000002', first_name: 'Bob', last_name: '', vcard: '' };
    expect(await sentMedia({ _: 'inputMediaContact', ...contact })).toMatchObject({ ...contact, user_id: 1002n });
  });

  it('refuses invalid media with the matching error', async () => {
    const geo = { _: 'inputMediaGeoPoint', geo_point };
    await expect(send(geo, { message: 'x'.repeat(1025) })).rejects.toMatchObject(rejected('MEDIA_CAPTION_TOO_LONG'));
    expect(await send(geo, { message: 'x'.repeat(1024) })).toMatchObject({ _: 'updates' });
    await expect(send({ _: 'inputMediaEmpty' })).rejects.toMatchObject(rejected('MEDIA_EMPTY'));
    await expect(send({ _: 'inputMediaGame' })).rejects.toMatchObject(rejected('MEDIA_INVALID'));
    const far = { ...geo_point, lat: 91 };
    await expect(send({ _: 'inputMediaGeoPoint', geo_point: far })).rejects.toMatchObject(
      rejected('GEO_POINT_INVALID'),
    );
    const peer = {
      _: 'inputPeerChannel',
      channel_id: 3003n,
      access_hash: accessHash(fixture.world, 1001, 'channel', 3003),
    };
    await expect(send(geo, { peer })).rejects.toMatchObject(rejected('CHAT_WRITE_FORBIDDEN', 403));
  });

  it('is deduplicated by random_id, also if two calls run at once', async () => {
    const file = await uploaded(await picture(1000, 700, 'png'));
    const both = await Promise.allSettled([1, 2].map(() => send(photo(file), { random_id: 4711n })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 500, text: 'RANDOM_ID_DUPLICATE' });
    expect((await send(photo(file), { random_id: 4711n }))['updates']).toMatchObject([{ _: 'updateMessageID' }, {}]);
  });
});
