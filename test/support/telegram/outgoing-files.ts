import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutgoingFile } from '../../../src/telegram/port/outgoing.ts';
import type { Scene } from './scene.ts';

/** Bytes that repeat nowhere near each other; another seed, other bytes. */
export function noise(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}

/** Writes a file that is to be sent. */
export async function writeOutgoing(
  folder: string,
  bytes: Buffer,
  name: string,
  mimetype: string,
): Promise<OutgoingFile> {
  const path = join(folder, `${createHash('md5').update(bytes).digest('hex')}-${bytes.length}`);
  await writeFile(path, bytes);
  return { path, size: bytes.length, name, mimetype };
}

/** A photo of the seeded channel, in one of its sizes, or the largest. */
export async function seededJpeg(scene: Scene, size?: string): Promise<Buffer> {
  const channel = '-1004001';
  const messages = await scene.control<{ id: number; media?: { kind: string } }[]>(
    'GET',
    `/accounts/1001/messages?peer=${channel}&limit=100`,
  );
  const photo = messages.find(({ media }) => media?.kind === 'photo');
  const file = new URL(`/accounts/1001/messages/${channel}/${photo?.id}/file`, scene.sandbox.url);
  if (size !== undefined) file.searchParams.set('size', size);
  const response = await fetch(file);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}
