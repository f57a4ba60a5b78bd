import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../../../src/errors/gateway-error.ts';
import { containerOf } from '../../../../src/media/outgoing/container.ts';
import { programSearch } from '../../../../src/media/outgoing/ffmpeg-programs.ts';
import type { MediaRequest } from '../../../../src/media/outgoing/prepare.ts';
import { probeFile } from '../../../../src/media/outgoing/probe.ts';
import { takeFirstFrame } from '../../../../src/media/outgoing/video.ts';
import { startWebServer, type WebServer } from '../../../support/kit/web-server.ts';
import { type MediaScene, makeSample, startMediaScene } from '../../../support/media/scene.ts';
import { refusedUrls } from '../../../support/outbound/spellings.ts';

/** What a fetched file, or its URL, could make us fetch or read besides. */

let scene: MediaScene;
let decoy: WebServer;

beforeAll(async () => {
  scene = await startMediaScene();
  decoy = await startWebServer((_request, response) => response.end('secret'));
});

afterAll(async () => {
  await decoy.close();
  await scene.close();
  if (decoy.connections > 0) throw new Error('the decoy was reached');
});

/** A file on this machine that has a picture in it: shown in a thumbnail, it would have been read. */
const ours = (): string => scene.file('ours.mp4');

const lists: [string, () => string | Buffer][] = [
  ['HLS with a URL', () => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${decoy.url}/a.ts\n#EXT-X-ENDLIST\n`],
  ['HLS with a file', () => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${ours()}\n#EXT-X-ENDLIST\n`],
  [
    'HLS with two files in one',
    () => `#EXTM3U\n#EXTINF:9,\nconcat:${decoy.url}/a|file:///etc/passwd\n#EXT-X-ENDLIST\n`,
  ],
  ['HLS with a part of a file', () => `#EXTM3U\n#EXTINF:9,\nsubfile,,start,0,end,9,,:/etc/passwd\n#EXT-X-ENDLIST\n`],
  [
    'HLS with a key',
    () => `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${decoy.url}/k"\n#EXTINF:9,\n${ours()}\n#EXT-X-ENDLIST\n`,
  ],
  ['concat', () => `ffconcat version 1.0\nfile '${ours()}'\n`],
  ['concat with a URL', () => `ffconcat version 1.0\nfile ${decoy.url}/a.mp4\n`],
  [
    'DASH',
    () =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${decoy.url}/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  ['SDP', () => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${decoy.port} RTP/AVP 96\n`],
  ['ASX', () => `<asx version="3.0"><entry><ref href="${decoy.url}/a"/></entry></asx>`],
  ['a .ram list', () => `rtsp://127.0.0.1:${decoy.port}/a\n`],
  ['an image sequence', () => scene.file('%d.png')],
  ['a filter graph', () => `movie=${ours()}`],
  ['SMIL', () => `<smil><body><video src="${decoy.url}/a"/></body></smil>`],
  [
    'HLS after a music tag',
    () => Buffer.concat([Buffer.from('49443304000000000000', 'hex'), Buffer.from(`#EXTM3U\n${decoy.url}`)]),
  ],
  [
    'HLS dressed as MP4',
    () => Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from(`\n#EXTM3U\n${decoy.url}`)]),
  ],
  ['HLS dressed as AVI', () => `RIFF0000AVI \n#EXTM3U\n#EXTINF:9,\n${decoy.url}/a\n`],
  [
    'HLS dressed as Matroska',
    () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.from(`\n#EXTM3U\n${decoy.url}`)]),
  ],
  ['HLS dressed as MPEG-TS', () => transportLike(`#EXTM3U\n#EXTINF:9,\n${decoy.url}/a\n`)],
];

function transportLike(text: string): Buffer {
  const packets = Buffer.alloc(188 * 4, '\n');
  packets.write(text, 1);
  for (let at = 0; at < packets.length; at += 188) packets[at] = 0x47;
  return packets;
}

describe('lists that name other files', () => {
  beforeAll(async () => {
    await makeSample(ours(), ...'-f lavfi -i color=red:s=64x64:d=1 -c:v libx264 -pix_fmt yuv420p'.split(' '));
  });

  it.each(lists)('[MS4.1] %s is a file like any other', async (_name, content) => {
    writeFileSync(scene.file('list'), content());
    expect([undefined, 'mov', 'avi', 'matroska', 'mpegts']).toContain(await containerOf(scene.file('list')));
    const url = scene.serve('list.mp4', content());
    const video = { type: 'video', url, mimetype: 'application/vnd.apple.mpegurl', duration: 9 } as const;
    await scene.media.withPrepared(video, new LightAbort(), (media) => {
      expect(media).toMatchObject({ duration: 9, width: 0, height: 0 });
      expect(media.thumbnail).toBeUndefined();
      expect(readFileSync(media.file.path).equals(Buffer.from(content()))).toBe(true);
      return Promise.resolve();
    });
    await scene.media.withPrepared({ ...video, type: 'audio' }, new LightAbort(), (media) => {
      expect(media.duration).toBe(9);
      return Promise.resolve();
    });
  });

  it('[MS4.1] even read as what they are they lead nowhere else: no demuxer within, no protocol but the file', async () => {
    const { ffmpeg = '', ffprobe = '' } = await programSearch(
      { ffmpegPath: undefined, ffprobePath: undefined },
      () => {},
    )();
    const list = scene.file('list');
    for (const [container, text] of [
      ['hls', `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${decoy.url}/a.ts\n#EXT-X-ENDLIST\n`],
      ['hls', `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${ours()}\n#EXT-X-ENDLIST\n`],
      ['concat', `ffconcat version 1.0\nfile ours.mp4\n`],
      ['sdp', `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n`],
    ] as const) {
      writeFileSync(list, text);
      await expect(probeFile(ffprobe, list, container, new LightAbort())).rejects.toThrow(/Command failed/);
      const frame = { container, stream: 0, maxSide: 320 };
      await expect(takeFirstFrame(ffmpeg, list, scene.file('frame.jpg'), frame, new LightAbort())).rejects.toThrow(
        /ffmpeg/,
      );
    }
    // The same list does lead somewhere where nothing holds it back.
    writeFileSync(list, `ffconcat version 1.0\nfile ours.mp4\n`);
    const output = execFileSync(ffprobe, ['-v', 'error', '-f', 'concat', '-show_entries', 'stream=width', list]);
    expect(String(output)).toContain('width=64');
  });

  it('[MS4.1] a drawing attached to a video is not drawn', async () => {
    const svg = scene.file('a.svg');
    writeFileSync(svg, `<svg xmlns="http://www.w3.org/2000/svg"><image href="${decoy.url}/a"/></svg>`);
    const args = `-i ${ours()} -c copy -attach ${svg} -metadata:s:t mimetype=image/svg+xml -metadata:s:t filename=cover.svg`;
    const url = scene.serve('a.mkv', await makeSample(scene.file('a.mkv'), ...args.split(' ')));
    await scene.media.withPrepared(
      { type: 'video', url, mimetype: 'video/mp4', duration: 9 },
      new LightAbort(),
      (media) => {
        expect(media).toMatchObject({ width: 64, height: 64 });
        expect(media.thumbnail).toBeDefined();
        return Promise.resolve();
      },
    );
  });
});

describe('every URL of a request', () => {
  let guarded: MediaScene;

  beforeAll(async () => {
    guarded = await startMediaScene({ allowPrivate: false, addresses: ['127.0.0.1'] });
  });

  afterAll(async () => {
    await guarded.close();
  });

  const fields: [string, (url: string) => MediaRequest][] = [
    ['image.url', (url) => ({ type: 'image', url })],
    ['video.url', (url) => ({ type: 'video', url, mimetype: 'video/mp4', duration: 1 })],
    [
      'video.thumbnail',
      (url) => ({ type: 'video', url: 'http://127.0.0.1/', mimetype: 'video/mp4', duration: 1, thumbnail: url }),
    ],
    ['audio.url', (url) => ({ type: 'audio', url, mimetype: 'audio/mpeg', duration: 1 })],
    ['document.url', (url) => ({ type: 'document', url, name: 'a', mimetype: 'a/b' })],
  ];

  it.each(fields)('[SR1.1] %s leads to nothing that is not public, in any spelling', async (_field, request) => {
    const urls = refusedUrls(decoy.port).filter((url) => url !== '');
    expect(urls.length).toBeGreaterThan(400);
    const strange: unknown[] = [];
    for (const url of urls) {
      const error: unknown = await guarded.media
        .withPrepared(request(url), new LightAbort(), () => Promise.resolve())
        .catch((caught: unknown) => caught);
      const isTold =
        error instanceof GatewayError &&
        error.statusCode === 500 &&
        /^error parser file from url \S+: /.test(error.message);
      if (!isTold) strange.push([url, error]);
    }
    expect(strange).toEqual([]);
    expect(guarded.left()).toEqual([]);
  });

  it('[SR1.4] an error shows no more of a URL than its server', async () => {
    const url = 'http://ann:password@127.0.0.1:9/path-token?signature=secret#part';
    const outcome = guarded.media.withPrepared({ type: 'image', url }, new LightAbort(), () => Promise.resolve());
    await expect(outcome).rejects.toThrow(
      /^error parser file from url http:\/\/127\.0\.0\.1:9: its address is not public$/,
    );
  });
});
