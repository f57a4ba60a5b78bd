import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../../../src/errors/gateway-error.ts';
import { startWebServer, type WebServer } from '../../../support/kit/web-server.ts';
import { pngChunk as chunk, png } from '../../../support/media/png.ts';
import { type MediaScene, startMediaScene } from '../../../support/media/scene.ts';

const megabyte = 1024 * 1024;

let scene: MediaScene;
let decoy: WebServer;

beforeAll(async () => {
  scene = await startMediaScene();
  decoy = await startWebServer((_request, response) => response.end());
});

afterAll(async () => {
  await decoy.close();
  await scene.close();
  if (decoy.connections > 0) throw new Error('the decoy was reached');
});

/** What the caller is told about a file that is said to be a picture; `sent` where it is one. */
async function outcomeOf(content: Buffer | string): Promise<string> {
  const request = { type: 'image', url: scene.serve('hostile', content) } as const;
  try {
    await scene.media.withPrepared(request, new LightAbort(), () => Promise.resolve());
    return 'sent';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.statusCode).toBe(500);
    return error.message;
  }
}

/** What a process that makes this picture alone takes. */
async function makeAlone(bytes: Buffer): Promise<{ outcome: string; grownBytes: number }> {
  const path = scene.file('bomb');
  writeFileSync(path, bytes);
  const program = fileURLToPath(new URL('../../../support/media/peak-memory.ts', import.meta.url));
  const node = ['--import', 'tsx', program, path, scene.file('out')];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  return JSON.parse(stdout) as { outcome: string; grownBytes: number };
}

const picture = (side = 300): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#c33' } });
describe('what is no picture', () => {
  const svg = (inner: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${inner}</svg>`;
  const files: [string, () => Buffer | string][] = [
    ['HTML', () => '<!doctype html><html><body><h1>404</h1></body></html>'],
    ['a text', () => 'hello'],
    ['one byte', () => '\xff'],
    ['SVG', () => svg('')],
    ['SVG that fetches', () => svg(`<image xlink:href="${decoy.url}/a.png" width="9" height="9"/>`)],
    ['SVG that reads', () => svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>')],
    ['SVG with entities', () => `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "${decoy.url}/">]>${svg('&x;')}`],
    ['SVG behind a mark', () => Buffer.from(`\ufeff  ${svg('')}`)],
    ['SVG in a PNG’s clothes', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(svg(''))])],
    ['SVG in a JPEG’s clothes', () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(svg(''))])],
    ['SVG in a WebP’s clothes', () => `RIFF0000WEBP${svg('')}`],
    ['PDF', () => '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n'],
    ['PostScript', () => '%!PS-Adobe-3.0\n/Times findfont\n'],
    ['ImageMagick’s MVG', () => `push graphic-context\nimage over 0,0 0,0 'url(${decoy.url}/)'\npop graphic-context`],
    ['an HLS list', () => `#EXTM3U\n#EXTINF:1,\n${decoy.url}/a.ts\n`],
    ['libvips’ own', () => Buffer.from('b6a6f208'.repeat(20), 'hex')],
    ['an OpenEXR', () => Buffer.from('762f3101'.repeat(20), 'hex')],
    ['a PPM', () => 'P6 1 1 255\nabc'],
    ['a zip', () => Buffer.from('504b0304'.repeat(20), 'hex')],
    ['just a PNG’s signature', () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['just a JPEG’s beginning', () => Buffer.from('ffd8ffe0', 'hex')],
    ['an empty JPEG', () => Buffer.from('ffd8ffd9', 'hex')],
  ];
  it.each(files)('[MS3.2] %s is refused', async (_name, content) => {
    expect(await outcomeOf(content())).toMatch(/^error compress image: it is (?:not a JPG, PNG or WebP|damaged)$/);
  });

  it.each(['gif', 'tiff', 'avif'] as const)('[MS3.2] a real %s is refused', async (format) => {
    expect(await outcomeOf(await picture().toFormat(format).toBuffer())).toBe(
      'error compress image: it is not a JPG, PNG or WebP',
    );
  });

  it('[MS3.2] only the first line of a fault is told, and no path of ours', async () => {
    const message = await outcomeOf(Buffer.concat([await picture().png().toBuffer()]).subarray(0, 200));
    expect(message).not.toContain(scene.folder);
    expect(message).not.toContain('\n');
  });
});

describe('damaged pictures', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('[MS3.2] a %s that breaks off is refused', async (format) => {
    const noise = {
      create: {
        width: 400,
        height: 400,
        channels: 3 as const,
        background: '#888',
        noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
      },
    };
    const whole = await sharp(noise).toFormat(format).toBuffer();
    expect(await outcomeOf(whole)).toBe('sent');
    for (const part of [0.02, 0.1, 0.5, 0.9]) {
      const outcome = await outcomeOf(whole.subarray(0, Math.floor(whole.length * part)));
      expect({ part, outcome }).toEqual({ part, outcome: 'error compress image: it is damaged' });
    }
  });

  it('[MS3.1] bits that flip are refused or overlooked, nothing worse', async () => {
    // A fixed sequence: the same bits in every run (Numerical Recipes' generator).
    let state = 7;
    const next = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const outcomes = new Set<string>();
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await picture(64).toFormat(format).toBuffer();
      for (let count = 0; count < 60; count += 1) {
        const damaged = Buffer.from(whole);
        for (let flips = 0; flips < 1 + next(6); flips += 1) {
          const at = next(damaged.length);
          damaged[at] = (damaged[at] ?? 0) ^ (1 << next(8));
        }
        outcomes.add((await outcomeOf(damaged)).replace(/:.*/, ''));
      }
    }
    expect([...outcomes].toSorted()).toEqual(['400', 'error compress image', 'sent']);
  });
});

describe('bombs', () => {
  const tooMany = 'error compress image: it has too many pixels';

  it('[MS3.2] more pixels than any camera has are refused before they are decoded', async () => {
    expect(await outcomeOf(png(30_000, 30_000))).toBe(tooMany);
    expect(await outcomeOf(png(500_000, 2_000, { rows: 1 }))).toBe(tooMany);
    // Their headers alone claim it.
    const webp = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    expect(webp.length).toBeLessThan(10_000);
    expect(await outcomeOf(webp)).toBe(tooMany);
    const progressive = await picture(64).jpeg({ progressive: true }).toBuffer();
    progressive.writeUInt32BE(0x2ee02ee0, progressive.indexOf(Buffer.from('ffc2', 'hex')) + 5);
    expect(await outcomeOf(progressive)).toBe(tooMany);
  });

  it('[MS3.2] texts and profiles that unpack to much are not unpacked', async () => {
    const packed = deflateSync(Buffer.alloc(200 * megabyte, 'x'), { level: 9 });
    const extra = [
      chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed])),
      chunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), packed])),
    ];
    expect(await outcomeOf(png(10, 10, { extra }))).toMatch(/^(?:sent|error compress image: .*)$/);
  });

  it('[MS3.2] the worst that are taken stay within 200 MB', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g/>'.repeat(900_000)}</svg>`;
    const files: [string, Buffer, string?][] = [
      // A decoder that only looked at its size would hold a gigabyte.
      ['a drawing', Buffer.from(drawing), 'error compress image: it is not a JPG, PNG or WebP'],
      ['progressive 4:2:0', await picture(6400).jpeg({ progressive: true }).toBuffer()],
      ['progressive 4:4:4', await picture(4500).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()],
      ['interlaced', await picture(5200).ensureAlpha(0.5).png({ progressive: true, compressionLevel: 1 }).toBuffer()],
      ['lossless', await picture(5600).webp({ lossless: true, effort: 0 }).toBuffer()],
      ['one bit', png(16_000, 16_000)],
      [
        'texts',
        png(10, 10, {
          extra: [chunk('zTXt', Buffer.concat([Buffer.from('C\0\0'), deflateSync(Buffer.alloc(200 * megabyte))]))],
        }),
      ],
    ];
    for (const [name, bytes, expected = 'made'] of files) {
      const { outcome, grownBytes } = await makeAlone(bytes);
      expect({ name, outcome }).toEqual({ name, outcome: expected });
      if (grownBytes >= 200 * megabyte) throw new Error(`${name} took ${Math.round(grownBytes / megabyte)} MB`);
    }
  });

  it('[NB4.1] the widest lines that are taken stay within 300 MB, whatever their pixels are', async () => {
    const files: [string, Buffer][] = [
      ['RGB', png(30_500, 8_500, { color: 'rgb' })],
      ['RGB, 16 bits', png(15_200, 15_000, { color: 'rgb', depth: 16 })],
      ['RGBA', png(22_900, 11_000, { color: 'rgba' })],
      ['RGBA, 16 bits', png(11_400, 11_400, { color: 'rgba', depth: 16 })],
      ['one bit', png(73_000, 3_660)],
      [
        'JPEG',
        await sharp({ create: { width: 65_000, height: 3_300, channels: 3, background: '#c33' } })
          .jpeg()
          .toBuffer(),
      ],
    ];
    for (const [name, bytes] of files) {
      const { outcome, grownBytes } = await makeAlone(bytes);
      expect({ name, outcome }).toEqual({ name, outcome: 'made' });
      // A built gateway's process begins with 80 MB, one of the tests with more.
      if (grownBytes >= 220 * megabyte) throw new Error(`${name} took ${Math.round(grownBytes / megabyte)} MB`);
    }
  });
});
