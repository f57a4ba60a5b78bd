import { request } from 'node:http';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ann, bob } from '../../support/e2e/scene.ts';
import { chunk, daily, errorOf, sha256, useViewing, type Viewed } from '../../support/e2e/viewing-scene.ts';

/** `GET` and `HEAD /media/…`, from HTTP to the sandbox's files and back. */

const viewing = useViewing();
const { newest, original, path, post, view } = viewing;

const unknown = { statusCode: 404, message: 'media not found' };

/** As it is sent: `fetch` would tidy the path. */
function viewRaw(rawPath: string, method = 'GET'): Promise<number> {
  const { hostname, port } = new URL(viewing.scene.gateway.url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: rawPath, method }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('what a link shows', () => {
  it('[ME5.2] the largest photo, and its thumbnail of about 800 pixels', async () => {
    const photo = await viewing.view(path(daily, 200, 'photo'));
    expect(photo).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } });
    expect(await sharp(photo.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2560, height: 1707 });
    expect(photo.bytes.equals(await original(daily, 200, 'w'))).toBe(true);
    const thumb = await view(path(daily, 200, 'thumb'));
    expect(await sharp(thumb.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 533 });
    expect(thumb.bytes.equals(await original(daily, 200, 'x'))).toBe(true);
  });

  it('[ME5.1] [ME5.2] a video of another data centre, and its thumbnail of 320 pixels', async () => {
    const before = (await viewing.calls('upload.getFile')).length;
    const video = await view(path(daily, 210, 'file', 'mp4'));
    expect(video).toMatchObject({ status: 200, headers: { 'content-type': 'video/mp4' } });
    expect(video.bytes.length).toBeGreaterThan(3_000_000);
    expect(video.bytes.equals(await original(daily, 210))).toBe(true);
    const fetched = (await viewing.calls('upload.getFile')).slice(before);
    expect(fetched.map(({ dc }) => dc)).toEqual(Array(Math.ceil(video.bytes.length / chunk)).fill(4));
    const thumb = await view(path(daily, 210, 'thumb'));
    expect(await sharp(thumb.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 320 });
  });

  it.each([
    ['video', 'mp4', 'inline'],
    ['gif', 'mp4', 'inline'],
    ['round', 'mp4', 'inline'],
    ['document', 'pdf', 'attachment'],
    ['audio', 'mp3', 'inline'],
    ['voice', 'ogg', 'inline'],
    ['sticker', 'webp', 'inline'],
  ])('[ME5.2] a %s, whole, as what it says it is', async (kind, ext, disposition) => {
    const { id, media } = await newest(daily, kind);
    const shown = await view(path(daily, id, 'file', ext));
    expect(shown).toMatchObject({
      status: 200,
      headers: {
        'content-type': media.mime,
        'content-length': String(media.size),
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(shown.headers['content-disposition']).toContain(disposition);
    expect(shown.headers['content-security-policy']).toMatch(
      disposition === 'attachment' ? /^sandbox; / : /^default-src 'none'; /,
    );
    if (media.name !== '') expect(shown.headers['content-disposition']).toContain(`filename="${media.name}"`);
    expect(sha256(shown.bytes)).toBe(sha256(await original(daily, id)));
  });

  it('[ME5.2] an animated sticker by its thumbnail, whichever of the two is asked for', async () => {
    const { id } = await newest(daily, 'animatedSticker');
    const thumbnail = await original(daily, id, 'thumbnail');
    for (const variant of ['file', 'thumb'] as const) {
      const shown = await view(path(daily, id, variant, 'webp'));
      expect(shown.bytes.equals(thumbnail)).toBe(true);
      expect(shown.headers['content-type']).toBe(`image/${(await sharp(thumbnail).metadata()).format}`);
    }
  });

  it('[ME5.2] the small profile photo of a user, a group and a channel, as long as it is the current one', async () => {
    const { users, chats } = viewing.scene.telegram.world.tables;
    const photos = [
      [ann, users.get(ann)?.photo],
      [bob, users.get(bob)?.photo],
      ['-1003001', chats.get('channel:3001')?.photo],
      [daily, chats.get('channel:4001')?.photo],
    ] as const;
    for (const [chatId, photoId] of photos) {
      if (photoId === undefined) throw new Error(`${chatId} has no photo`);
      const shown = await view(path(chatId, photoId, 'profile'));
      expect(shown).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } });
      expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 160, height: 160 });
      const other = await view(path(chatId, photoId + 1000, 'profile'));
      expect([other.status, errorOf(other)]).toEqual([404, unknown]);
    }
    const old = path(daily, photos[3][1] ?? 0, 'profile');
    await viewing.scene.sandbox.call('PATCH', `/chats/${daily}`, { photo: true });
    expect(await view(old)).toMatchObject({ status: 404 });
    const now = viewing.scene.telegram.world.tables.chats.get('channel:4001')?.photo ?? 0;
    expect(await view(path(daily, now, 'profile'))).toMatchObject({ status: 200 });
  });

  it('[ME5.2] photos of private chats and of basic groups', async () => {
    for (const peer of [bob, '-2001']) {
      const id = await post(peer, { kind: 'photo' });
      expect(await view(path(peer, id, 'photo'))).toMatchObject({ status: 200 });
      // Both count their messages together: the same ID in another chat is another message, or none.
      expect(await view(path(peer === bob ? '-2001' : bob, id, 'photo'))).toMatchObject({ status: 404 });
    }
  });
});

describe('ranges and conditions', () => {
  const whole = async (): Promise<{ link: string; bytes: Buffer; tag: string }> => {
    const link = path(daily, 210, 'file', 'mp4');
    const { bytes, headers } = await view(link);
    return { link, bytes, tag: headers['etag'] ?? '' };
  };

  it('[ME3.1] one range of any form, within a chunk and over several', async () => {
    const { link, bytes } = await whole();
    const size = bytes.length;
    const ranges: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=0-', 0, size - 1],
      ['bytes=-1', size - 1, size - 1],
      [`bytes=${chunk - 1}-${chunk}`, chunk - 1, chunk],
      [`bytes=${chunk}-${2 * chunk - 1}`, chunk, 2 * chunk - 1],
      [`bytes=100-${3 * chunk + 5}`, 100, 3 * chunk + 5],
      [`bytes=${size - 10}-${size + 1000}`, size - 10, size - 1],
    ];
    for (const [range, first, last] of ranges) {
      const part = await view(link, { range });
      expect(part).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes ${first}-${last}/${size}`, 'content-length': String(last - first + 1) },
      });
      expect(part.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
    }
  });

  it('[ME3.1] several ranges, and what is none, are the whole file', async () => {
    const { link, bytes } = await whole();
    for (const range of ['bytes=0-1,5-6', 'bytes=6-5', 'lines=1-2', 'bytes=x']) {
      const shown = await view(link, { range });
      expect(shown.status).toBe(200);
      expect(shown.headers['content-range']).toBeUndefined();
      expect(shown.bytes.equals(bytes)).toBe(true);
    }
  });

  it('[ME3.1] a range outside of the file', async () => {
    const { link, bytes } = await whole();
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const shown = await view(link, { range });
      expect(shown).toMatchObject({
        status: 416,
        headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${bytes.length}` },
      });
      expect(errorOf(shown)).toEqual({ statusCode: 416, message: 'range not satisfiable' });
    }
  });

  it('[ME3.2] If-None-Match and If-Range', async () => {
    const { link, bytes, tag } = await whole();
    expect(tag).toMatch(/^"[\w-]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const shown = await view(link, { 'if-none-match': known, range: 'bytes=0-1' });
      expect(shown).toMatchObject({ status: 304, headers: { etag: tag, 'cache-control': 'public, max-age=86400' } });
      expect(shown.bytes).toHaveLength(0);
    }
    expect(await view(link, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    expect(await view(link, { range: 'bytes=0-1', 'if-range': tag })).toMatchObject({ status: 206 });
    for (const other of ['"other"', `W/${tag}`, new Date(0).toUTCString()]) {
      const shown = await view(link, { range: 'bytes=0-1', 'if-range': other });
      expect(shown.status).toBe(200);
      expect(shown.bytes).toHaveLength(bytes.length);
    }
  });

  it('[ME3.1] HEAD says what GET would, and fetches nothing of the file', async () => {
    const link = path(daily, 211 - 13, 'file', 'mp4');
    const before = (await viewing.calls('upload.getFile')).length;
    const head = await view(link, {}, 'HEAD');
    expect((await viewing.calls('upload.getFile')).length).toBe(before);
    const got = await view(link);
    expect(head.bytes).toHaveLength(0);
    const lasting = ({ status, headers }: Viewed): unknown => ({
      status,
      headers: { ...headers, date: undefined, connection: undefined, 'keep-alive': undefined, 'x-request-id': '' },
    });
    expect(lasting(head)).toEqual(lasting(got));
    expect(await view(link, { range: 'bytes=0-1' }, 'HEAD')).toMatchObject({ status: 200 });
  });
});

describe('what a link does not show', () => {
  it('[ME2.1] a first segment that is no UUID', async () => {
    for (const bad of ['/media/x/1/2/photo/s.jpg', '/media/0', path(daily, 200, 'photo').replace('-', '')]) {
      const shown = await view(bad);
      expect([shown.status, errorOf(shown)]).toEqual([400, { statusCode: 400, message: 'invalid id' }]);
    }
  });

  it('[ME2.1] a link of nobody, or of another session', async () => {
    const good = path(daily, 200, 'photo');
    const other = await viewing.scene.connected();
    const theirs = good.replace(viewing.caller.id, other.id);
    const shown = await view(theirs);
    expect([shown.status, errorOf(shown)]).toEqual([404, unknown]);
    expect(await view(good)).toMatchObject({ status: 200 });
  });

  it('[ME1.1] 3,000 links, each altered in one place: none is served', async () => {
    const good = path(daily, 200, 'photo');
    const altered = new Set<string>();
    for (let at = '/media/'.length; at < good.length; at++) {
      for (const character of [
        'A',
        'b',
        '0',
        '9',
        '-',
        '_',
        '.',
        '/',
        '%',
        '=',
        '~',
        '@',
        ';',
        ':',
        '%00',
        '%2e',
        '..',
        '',
      ]) {
        altered.add(good.slice(0, at) + character + good.slice(at + 1));
        altered.add(good.slice(0, at) + character + good.slice(at));
      }
      altered.add(good.slice(0, at));
      altered.add(`${good.slice(0, at)}%${(good[at] ?? '').charCodeAt(0).toString(16)}${good.slice(at + 1)}`);
    }
    for (const trick of [`${good}/`, `${good}?`, `${good}?a=b`, `${good}//`, `/${good}`, `/.${good}`, `${good};x`]) {
      altered.add(trick);
    }
    altered.delete(good);
    const list = [...altered];
    expect(list.length).toBeGreaterThan(3000);
    const served: string[] = [];
    for (let at = 0; at < list.length; at += 100) {
      const some = list.slice(at, at + 100);
      const statuses = await Promise.all(some.map((bad) => viewRaw(bad)));
      served.push(...some.filter((_bad, index) => ![400, 404].includes(statuses[index] ?? 0)));
    }
    expect(served).toEqual([]);
    expect(await viewRaw(good)).toBe(200);
  });

  it('[ME2.1] a deleted message, viewed before or not', async () => {
    const id = await post(bob, { kind: 'photo' });
    const link = path(bob, id, 'photo');
    expect(await view(link)).toMatchObject({ status: 200 });
    await viewing.scene.sandbox.call('DELETE', `/accounts/${ann}/messages/${bob}/${id}`);
    for (const gone of [link, path(bob, id, 'thumb')]) {
      const shown = await view(gone);
      expect([shown.status, errorOf(shown)]).toEqual([404, unknown]);
    }
  });

  it('[ME2.1] a message without such a file, a chat that nobody has met, a number that is none', async () => {
    const { id: video } = await newest(daily, 'video');
    const paths = [
      path(daily, 200, 'file'),
      path(daily, video, 'photo'),
      path(daily, 1, 'photo'),
      path(daily, 2_000_000_000, 'photo'),
      path(daily, '99999999999999999999', 'photo'),
      path('-1009999999', 1, 'photo'),
      path('999999', 1, 'photo'),
      path('999999', 1, 'profile'),
      path('-1004003', 1, 'profile'),
    ];
    for (const missing of paths) {
      const shown = await view(missing);
      expect([missing, shown.status, errorOf(shown)]).toEqual([missing, 404, unknown]);
    }
  });

  it('[ER1.1] another method', async () => {
    const shown = await view(path(daily, 200, 'photo'), {}, 'POST');
    expect(shown).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});
