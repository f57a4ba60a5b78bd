import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { reachable, sha256, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { createGate } from '../../support/kit/gate.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { makeSample } from '../../support/media/scene.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /message` with files: what arrives of them, and what is refused. */

const files = useFiles();
const writing = useWriting(reachable);
const { calls, fault, seen, send } = writing;

const sendImage = (bytes: Buffer, more: object = {}): Promise<Answer> =>
  send({ user: bob, type: 'image', image: { url: files.serve(bytes), mimetype: 'image/png' }, ...more });
const sendDocument = (url: string, more: object = {}): Promise<Answer> => {
  const document = { url, name: 'a.bin', size: 5, mimetype: 'application/octet-stream' };
  return send({ user: bob, type: 'document', document, ...more });
};
/** The file of a message, as Bob's phone downloads it. */
async function download(size = ''): Promise<Buffer> {
  const [message] = await seen(ann, bob, 1);
  const path = `/accounts/${bob}/messages/${ann}/${message?.id}/file${size && `?size=${size}`}`;
  const response = await fetch(writing.scene.sandbox.url + path);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}
const pixel = async (jpeg: Buffer, left: number, top: number): Promise<number[]> => [
  ...(await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
];
/** Files that are on their way. */
const left = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'));

it('[MS2.2] a file that announces more than 4,000 parts is refused before it is fetched', async () => {
  const before = await calls('upload.saveBigFilePart');
  for (const [bytes, isTaken] of [
    [2_097_152_001, false],
    [2_097_152_000, true],
  ] as const) {
    const gone = createGate();
    const url = files.serve((response) => {
      response.on('close', () => gone.open());
      response.writeHead(200, { 'content-length': bytes }).flushHeaders();
      if (isTaken) response.destroy();
    });
    const reason = isTaken ? 'the connection was lost' : 'it is larger than 2097152000 bytes';
    const message = `error parser file from url ${files.url}: ${reason}`;
    expect(await sendDocument(url)).toMatchObject(refused(500, message));
    await gone.passed;
  }
  expect(await calls('upload.saveBigFilePart')).toBe(before);
});

describe('an image', () => {
  it('[MS3.1] that EXIF turns arrives upright, as JPEG, without its metadata', async () => {
    const red = { create: { width: 100, height: 300, channels: 3, background: '#ff0000' } } as const;
    const blue = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    const lying = sharp({ create: { width: 400, height: 300, channels: 3, background: '#00ff00' } })
      .composite([
        { input: await sharp(red).png().toBuffer(), left: 0, top: 0 },
        { input: blue, left: 100, top: 0 },
      ])
      .withMetadata({ orientation: 6 });
    expect(await sendImage(await lying.png().toBuffer())).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { kind: 'photo', width: 300, height: 400 } }]);
    const jpeg = await download();
    const { format, exif, orientation } = await sharp(jpeg).metadata();
    expect([format, exif, orientation]).toEqual(['jpeg', undefined, undefined]);
    // The left edge is on top now.
    const [[red1 = 0], [, , blue1 = 0]] = [await pixel(jpeg, 150, 20), await pixel(jpeg, 150, 380)];
    expect(red1).toBeGreaterThan(240);
    expect(blue1).toBeGreaterThan(240);
  });

  it('[MS3.1] as WebP with transparency arrives on white', async () => {
    const clear = sharp({
      create: { width: 200, height: 200, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    });
    expect(await sendImage(await clear.webp().toBuffer())).toMatchObject({ status: 200 });
    for (const channel of await pixel(await download(), 100, 100)) expect(channel).toBeGreaterThan(250);
  });

  it('[MS3.1] of 40 megapixels arrives with 2560', async () => {
    const large = sharp({ create: { width: 8000, height: 5000, channels: 3, background: '#446688' } });
    expect(await sendImage(await large.jpeg().toBuffer())).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { width: 2560, height: 1600, mime: 'image/jpeg' } }]);
    expect(await sharp(await download()).metadata()).toMatchObject({ width: 2560, height: 1600 });
  });

  it.each<[string, Buffer]>([
    ['HTML', Buffer.from('<!doctype html><html><body>Not an image</body></html>')],
    ['an empty file', Buffer.alloc(0)],
    ['noise', noise(5_000)],
    ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
  ])('[MS3.2] that is %s is refused, and leaves nothing', async (_what, bytes) => {
    const before = await calls('messages.sendMedia');
    const { status, body } = await sendImage(bytes);
    expect([status, body]).toEqual([
      500,
      { statusCode: 500, message: expect.stringMatching(/^error (?:compress image|parser file from url)[: ]/) },
    ]);
    expect(await calls('messages.sendMedia')).toBe(before);
    expect(left()).toEqual([]);
  });
});

describe('a video', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    return () => folder.remove();
  });
  /** Starts with one red frame, goes on in blue. */
  const film = ['-f', 'lavfi', '-i', 'color=red:size=320x180:rate=10:duration=0.5,format=yuv420p'];

  it.each([
    ['mp4', 'video/mp4', ['-c:v', 'libx264']],
    ['mov', 'video/quicktime', ['-c:v', 'libx264']],
    ['webm', 'video/webm', ['-c:v', 'libvpx']],
  ])('[MS4.1] [MS4.2] %s arrives as it is, with its first frame', async (extension, mimetype, codec) => {
    const next = ['-f', 'lavfi', '-i', 'color=blue:size=320x180:rate=10:duration=2.5,format=yuv420p'];
    const joined = ['-filter_complex', '[0:v][1:v]concat=n=2:v=1'];
    const bytes = await makeSample(join(folder.path, `a.${extension}`), ...film, ...next, ...joined, ...codec);
    const video = { url: files.serve(bytes, `a.${extension}`), mimetype, duration: 77 };
    expect(await send({ user: bob, type: 'video', video })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([
      {
        media: {
          kind: 'video',
          mime: mimetype,
          sha256: sha256(bytes),
          duration: 3,
          width: 320,
          height: 180,
          streamable: true,
          thumbnail: { width: 320, height: 180 },
        },
      },
    ]);
    const [red = 0, , blue = 0] = await pixel(await download('thumbnail'), 160, 90);
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
  });

  it('[MS4.1] [MS4.2] with a thumbnail of its own; what cannot be read has the duration that was given', async () => {
    const green = sharp({ create: { width: 900, height: 900, channels: 3, background: '#00ff00' } });
    const video = {
      url: files.serve(noise(20_000)),
      mimetype: 'video/mp4',
      duration: 42,
      thumbnail: files.serve(await green.png().toBuffer()),
    };
    expect(await send({ user: bob, type: 'video', video })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([
      { media: { kind: 'video', duration: 42, size: 20_000, thumbnail: { width: 320, height: 320 } } },
    ]);
    expect((await pixel(await download('thumbnail'), 100, 100))[1]).toBeGreaterThan(240);
  });
});

describe('a document', () => {
  it.each([
    ['résumé.pdf', 'application/pdf'],
    ['отчёт.txt', 'text/plain'],
    ['報告書.csv', 'text/csv'],
    ['تقرير.zip', 'application/zip'],
    ['🎉 party.png', 'image/png'],
    ['ohne Endung', 'application/x-test'],
    ['own.format-of-ours', 'application/x-test'],
  ])('[MS5.1] has the name %s and the type %s', async (name, mime) => {
    const bytes = noise(1_000, name.length);
    const document = { url: files.serve(bytes), name, size: 1_000, mimetype: 'application/x-test' };
    expect(await send({ user: bob, type: 'document', document })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { kind: 'document', name, mime, sha256: sha256(bytes) } }]);
  });

  it('[MS2.1] of 12 MB arrives byte for byte, and nothing is left of it', async () => {
    const bytes = noise(12 * 1024 * 1024);
    expect(await sendDocument(files.serve(bytes))).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { size: bytes.length, sha256: sha256(bytes) } }]);
    expect(left()).toEqual([]);
  });
});

describe('a file that cannot be had', () => {
  const parserError = (url: string): object => ({
    status: 500,
    body: { statusCode: 500, message: expect.stringContaining(`error parser file from url ${new URL(url).origin}`) },
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is not there', (response) => void response.writeHead(404).end('no')],
    ['is refused', (response) => void response.writeHead(500).end('no')],
    [
      'breaks off',
      (response) => void response.writeHead(200, { 'content-length': 50 }).write('no', () => response.destroy()),
    ],
    ['leads elsewhere for ever', (response) => void response.writeHead(302, { location: '?' }).end()],
    ['says it has 3 GB', (response) => void response.writeHead(200, { 'content-length': 3e9 }).write('x')],
  ])('[MS2.3] because it %s: the interface’s error', async (_what, answer) => {
    const before = await calls('messages.sendMedia');
    const url = files.serve(answer);
    expect(await sendDocument(url)).toMatchObject(parserError(url));
    expect(await calls('messages.sendMedia')).toBe(before);
    expect(left()).toEqual([]);
  });

  it('[MS1.1] is not asked for where the receiver is wrong', async () => {
    const url = files.serve(Buffer.from('x'));
    const before = files.requests;
    expect(await sendDocument(url, { user: '4711' })).toMatchObject(refused(400, 'chat not found'));
    expect(await sendDocument(url, { user: '' })).toMatchObject({ status: 400 });
    expect(files.requests).toBe(before);
  });
});

describe('what Telegram refuses', () => {
  it.each([
    'CHAT_WRITE_FORBIDDEN',
    'MEDIA_CAPTION_TOO_LONG',
    'SLOWMODE_WAIT_300',
    'PRIVACY_PREMIUM_REQUIRED',
    'PEER_FLOOD',
    'CHAT_ADMIN_REQUIRED',
    'USER_IS_BLOCKED',
  ])('[ER3.1] %s', async (error) => {
    await fault({ method: 'messages.sendMedia', error });
    const { status, body } = await sendDocument(files.serve(Buffer.from('x')));
    expect(status).toBe(500);
    expect(body['message']).toMatch(new RegExp(`^\\d{3}: ${error} \\(caused by messages\\.SendMedia\\)$`));
    expect(left()).toEqual([]);
  });

  it.each<[object, string]>([
    [{ group: '-1003003' }, '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMedia)'],
    [{ channel: '-1004002' }, '400: CHAT_ADMIN_REQUIRED (caused by messages.SendMedia)'],
    [{ user: '1005' }, '400: INPUT_USER_DEACTIVATED (caused by messages.SendMedia)'],
    [{ text: 'x'.repeat(5_000) }, '400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMedia)'],
  ])('[ER3.1] %j', async (more, message) => {
    const receiver = 'text' in more ? {} : { user: '' };
    expect(await sendDocument(files.serve(Buffer.from('x')), { ...receiver, ...more })).toMatchObject(
      refused(500, message),
    );
  });

  it('[ER3.2] a wait of 300 s is returned with Retry-After, one of 30 s is waited out', async () => {
    await fault({ method: 'messages.sendMedia', error: 'FLOOD_WAIT_300' });
    const answer = await sendDocument(files.serve(Buffer.from('x')));
    expect(answer).toMatchObject(refused(500, 'A wait of 300 seconds is required (caused by messages.SendMedia)'));
    expect(answer.headers.get('retry-after')).toBe('300');
    await fault({ method: 'messages.sendMedia', error: 'FLOOD_WAIT_30' });
    expect(await writing.scene.whilePassing(sendDocument(files.serve(Buffer.from('x'))))).toMatchObject({
      status: 200,
    });
  });
});
