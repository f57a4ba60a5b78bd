import { createHash } from 'node:crypto';
import { InputMedia } from '@mtcute/node';
import sharp from 'sharp';
import uploads from 'telegram/client/uploads.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { type GramJsClient, loggedInGramJs } from '../../../support/sandbox/gramjs-login.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

let sandbox: Sandbox;
let defects: string[];
const leaving: { destroy(): Promise<void> }[] = [];

beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox());
});
afterEach(async () => {
  await Promise.all(leaving.splice(0).map((client) => client.destroy()));
  if (defects.length > 0) throw new Error(defects.join('\n'));
});
afterAll(() => sandbox.close());

async function gramJs(): Promise<GramJsClient> {
  const client = await loggedInGramJs(sandbox, 1001);
  leaving.push(client);
  return client;
}

async function mtcute() {
  const client = await mtcuteClient(sandbox.protocol);
  leaving.push(client);
  await client.signInQr({ onUrlUpdated: (link) => void control(sandbox, 'POST', '/qr/scan', { link, userId: 1001 }) });
  return client;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#384' } })
    .jpeg()
    .toBuffer();
const film = Buffer.alloc(700_000, 'frames');
/** Larger than 10 MB: clients upload such files with saveBigFilePart. */
const large = Buffer.alloc(11_000_003);
for (let at = 0; at + 4 < large.length; at += 1024) large.writeUInt32BE(at, at);

/** The newest messages of the chat with Ann, as Cara sees them, newest first. */
async function shown(limit: number): Promise<{ id: number; text: string; media: Record<string, unknown> }[]> {
  return (await control(sandbox, 'GET', `/accounts/1003/messages?peer=1001&limit=${limit}`)).body;
}
async function bytesOf(id: number, query = ''): Promise<Buffer> {
  const answer = await fetch(`${sandbox.url}/accounts/1003/messages/1001/${id}/file${query}`);
  return Buffer.from(await answer.arrayBuffer());
}

describe('unmodified GramJS', () => {
  it('sends a photo, a video with a thumbnail and a large file, which arrive unchanged', async () => {
    const ann = await gramJs();
    await ann.getDialogs({});
    const [photo, thumb] = [await picture(1600, 1200), await picture(320, 180)];
    const file = (name: string, bytes: Buffer) => new uploads.CustomFile(name, bytes.length, '', bytes);
    await ann.sendFile('1003', { file: file('a.jpg', photo), caption: 'a photo' });
    const attributes = [new Api.DocumentAttributeVideo({ duration: 9, w: 640, h: 360, supportsStreaming: true })];
    await ann.sendFile('1003', { file: file('sea.mp4', film), attributes, thumb, workers: 4 });
    const sent = await ann.sendFile('1003', { file: file('отчёт.bin', large), forceDocument: true, workers: 4 });
    const [document, video, image] = await shown(3);
    if (!document || !video || !image) throw new Error('too few messages');
    expect(image).toMatchObject({
      text: 'a photo',
      media: {
        kind: 'photo',
        width: 1600,
        height: 1200,
        sha256: sha256(photo),
        thumbnail: { width: 320, height: 240 },
      },
    });
    expect(video.media).toMatchObject({
      kind: 'video',
      mime: 'video/mp4',
      duration: 9,
      width: 640,
      streamable: true,
      sha256: sha256(film),
      thumbnail: { width: 320, height: 180, size: thumb.length, sha256: sha256(thumb) },
    });
    expect(document.media).toMatchObject({ kind: 'document', name: 'отчёт.bin', sha256: sha256(large) });
    expect((await bytesOf(document.id)).equals(large)).toBe(true);
    expect((await bytesOf(video.id, '?size=thumbnail')).equals(thumb)).toBe(true);
    expect(((await ann.downloadMedia(sent, {})) as Buffer).equals(large)).toBe(true);
  });

  it('handles FLOOD_WAIT and expired file references of downloads', async () => {
    const ann = await gramJs();
    const [message] = await ann.getMessages('daily', { ids: [200] });
    await control(sandbox, 'POST', '/faults', { method: 'upload.getFile', error: 'FLOOD_WAIT_1' });
    expect(await ann.downloadMedia(message as never, {})).toBeInstanceOf(Buffer);
    await control(sandbox, 'POST', '/chaos', { expireFileReferences: true });
    await expect(ann.downloadMedia(message as never, {})).rejects.toThrow('FILE_REFERENCE_EXPIRED');
    const [again] = await ann.getMessages('daily', { ids: [200] });
    expect(await ann.downloadMedia(again as never, {})).toBeInstanceOf(Buffer);
  });
});

describe('unmodified mtcute', () => {
  it('sends media of every kind, and downloads a sent file', async () => {
    const ann = await mtcute();
    const [cara] = await ann.findDialogs(1003);
    if (!cara) throw new Error('no chat with Cara');
    const to = cara.peer.inputPeer;
    const photo = await picture(900, 600);
    await ann.sendMedia(to, InputMedia.photo(photo, { caption: 'a photo' }));
    const sent = await ann.sendMedia(to, InputMedia.document(large, { fileName: 'large.bin' }));
    await ann.sendMedia(to, InputMedia.audio(Buffer.alloc(9_000), { duration: 3, title: 'Song', performer: 'She' }));
    await ann.sendMedia(to, InputMedia.geo(52.5, 13.4));
    await ann.sendMedia(to, InputMedia.venue({ latitude: 1, longitude: 2, title: 'Lab', address: '1 Bench St' }));
    await ann.sendMedia(to, InputMedia.contact({ phone: '15550000002', firstName: 'Bob', lastName: 'Stone' }));
    expect((await shown(6)).map(({ media }) => media)).toMatchObject([
      { kind: 'contact', phone: '15550000002', firstName: 'Bob', lastName: 'Stone', userId: '1002' },
      { kind: 'venue', latitude: 1, longitude: 2, title: 'Lab', address: '1 Bench St' },
      { kind: 'location', latitude: 52.5, longitude: 13.4 },
      { kind: 'audio', duration: 3, title: 'Song', performer: 'She' },
      { kind: 'document', name: 'large.bin', size: large.length, sha256: sha256(large) },
      { kind: 'photo', width: 900, height: 600, caption: 'a photo', sha256: sha256(photo) },
    ]);
    if (sent.media?.type !== 'document') throw new Error('no document');
    expect(sha256(await ann.downloadAsBuffer(sent.media))).toBe(sha256(large));
  });

  it('downloads any part of a video from another data centre', async () => {
    const ann = await mtcute();
    const [message] = await ann.getMessages('daily', 210);
    if (message?.media?.type !== 'video') throw new Error('no video');
    const whole = await ann.downloadAsBuffer(message.media);
    expect(whole.length).toBe(3_466_798);
    const end = await ann.downloadAsBuffer(message.media, { offset: 3_145_728 });
    expect(Buffer.from(end).equals(Buffer.from(whole.subarray(3_145_728)))).toBe(true);
  });
});
