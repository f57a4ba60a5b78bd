import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** The formats of stickers (core.telegram.org/stickers): a picture, an animation of vectors, a short video. */
export type StickerFormat =
  | { kind: 'webp'; width: number; height: number }
  | { kind: 'tgs'; width: number; height: number }
  | { kind: 'webm' };

/** The size of every TGS (core.telegram.org/stickers#animated-stickers), which packs to 64 KB at most. */
const tgsSide = 512;
const maxTgsBytes = 64 * 1024;
const maxUnpackedBytes = 4 * 1024 * 1024;
const headBytes = 30;
const unpack = promisify(gunzip);

/** The format of a sticker by its content; undefined if it is none. */
export async function stickerFormatOf(path: string): Promise<StickerFormat | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    const text = head.toString('hex');
    if (text.startsWith('1a45dfa3')) return { kind: 'webm' };
    if (/^52494646.{8}57454250/.test(text)) return webpFormat(head);
    if (!text.startsWith('1f8b') || (await file.stat()).size > maxTgsBytes) return undefined;
    return (await isTgs(await file.readFile())) ? { kind: 'tgs', width: tgsSide, height: tgsSide } : undefined;
  } finally {
    await file.close();
  }
}

/** The size of a WebP, from its first chunk (RFC 9649). */
function webpFormat(head: Buffer): StickerFormat | undefined {
  if (head.length < headBytes) return undefined;
  const size = webpSize(head);
  return size && { kind: 'webp', width: size[0], height: size[1] };
}

function webpSize(head: Buffer): [width: number, height: number] | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [1 + head.readUIntLE(24, 3), 1 + head.readUIntLE(27, 3)];
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return head[20] === 0x2f ? [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)] : undefined;
    }
    case 'VP8 ': {
      const isKeyFrame = head.toString('hex', 23, 26) === '9d012a';
      return isKeyFrame ? [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff] : undefined;
    }
    default:
      return undefined;
  }
}

/** A Lottie animation, packed. */
async function isTgs(bytes: Buffer): Promise<boolean> {
  try {
    const animation: unknown = JSON.parse((await unpack(bytes, { maxOutputLength: maxUnpackedBytes })).toString());
    return typeof animation === 'object' && animation !== null && 'layers' in animation;
  } catch {
    return false;
  }
}
