import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** What attackers have the gateway fetch: paths of {@link serveAttackFiles}. */
export const attackFiles = {
  /** A PNG of 2 MB whose head says a million pixels by 268 of 64 bits, 2 GB. */
  bomb: '/bomb.png',
  /** A JPEG of 40 megapixels. */
  large: '/large.jpg',
  small: '/small.png',
  /** 5 MB, and then nothing more. */
  stalling: '/stalling.mp4',
  /** A webhook that sends interim responses (1xx) without end, and no final one. */
  interim: '/interim',
} as const;

const bombWidth = 1_000_000;
const bombHeight = 268;
const bombBytes = 2 * 1024 * 1024;
const stallingBytes = 5 * 1024 * 1024;
const interimEveryMs = 5;

/** Serves the files on loopback. @returns the address without a path */
export async function serveAttackFiles(): Promise<string> {
  const color = { channels: 3, background: '#357' } as const;
  const [large, small] = await Promise.all([
    sharp({ create: { ...color, width: 7_000, height: 5_700 } })
      .jpeg()
      .toBuffer(),
    sharp({ create: { ...color, width: 64, height: 64 } })
      .png()
      .toBuffer(),
  ]);
  const whole = new Map([
    [attackFiles.bomb, pictureBomb()],
    [attackFiles.large, large],
    [attackFiles.small, small],
  ] as [string, Buffer][]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://files');
    if (pathname === attackFiles.interim) return sendInterimHeads(response);
    if (pathname === attackFiles.stalling) {
      response.writeHead(200, { 'content-length': 2 * stallingBytes, 'content-type': 'video/mp4' });
      return void response.write(Buffer.alloc(stallingBytes));
    }
    response.end(whole.get(pathname));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sendInterimHeads(response: ServerResponse): void {
  const timer = setInterval(() => response.writeProcessing(), interimEveryMs);
  response.once('close', () => clearInterval(timer));
}

function pictureBomb(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(bombWidth, 0);
  header.writeUInt32BE(bombHeight, 4);
  // 16 bits a sample, RGBA.
  header.set([16, 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', Buffer.alloc(bombBytes))]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
