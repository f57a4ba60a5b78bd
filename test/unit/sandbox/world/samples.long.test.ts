import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ffmpeg from '@ffmpeg-installer/ffmpeg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunksOf, readContent } from '../../../../sandbox/world/files/file-content.ts';
import { sampleBytes, sampleNames, sampleSize } from '../../../../sandbox/world/files/sample-files.ts';
import { sampleMedia } from '../../../../sandbox/world/files/sample-media.ts';
import type { FileContent, FileRow } from '../../../../sandbox/world/state/file-rows.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let folder: string;
beforeAll(async () => {
  fixture = await openWorldFixture();
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytesOf(file: FileRow): Buffer {
  if (!file.content) throw new Error('no content');
  return Buffer.concat([...chunksOf(fixture.world, file, '', file.content)]);
}
const daily = (id: number): FileRow => {
  const media = fixture.world.tables.message('channel:4001', id)?.media;
  return fixture.world.tables.files.get(media?.kind === 'document' ? media.file : '') as FileRow;
};
/** Decodes every frame. Returns what ffmpeg prints: its errors. */
async function decoded(bytes: Buffer, ...from: string[]): Promise<string> {
  const path = join(folder, 'sample');
  writeFileSync(path, bytes);
  const { stderr } = await promisify(execFile)(ffmpeg.path, ['-v', 'error', ...from, '-i', path, '-f', 'null', '-']);
  return stderr;
}

describe('sample files', () => {
  it('have the sizes in the table', () => {
    for (const name of sampleNames) expect([name, sampleBytes(name).length]).toEqual([name, sampleSize(name)]);
  });

  it.each(['video', 'round', 'gif', 'audio', 'voice'] as const)('decode completely: %s', async (kind) => {
    const media = sampleMedia(fixture.world, kind, { dc: 2, date: 1, seed: 3 });
    const file = fixture.world.tables.files.get(media.kind === 'document' ? media.file : '') as FileRow;
    expect(await decoded(bytesOf(file))).toBe('');
  });

  it('still play if another size is asked for', async () => {
    for (const size of [109_552, 5_000_001]) {
      const media = sampleMedia(fixture.world, 'video', { dc: 2, date: 1, seed: 3, size });
      const file = fixture.world.tables.files.get(media.kind === 'document' ? media.file : '') as FileRow;
      const content = file.content as FileContent;
      const bytes = bytesOf(file);
      expect(bytes.length).toBe(size);
      const part = bytes.subarray(109_001, 109_001 + 2_222);
      expect(readContent(fixture.world, file, '', content, 109_001, 2_222).equals(part)).toBe(true);
      expect(await decoded(bytes, '-ss', '6')).toBe('');
    }
  });
});

describe('the channel Daily', () => {
  it('has a seekable video over 3 MB in another data centre, with its index first', async () => {
    const file = daily(210);
    const bytes = bytesOf(file);
    expect({ dc: file.dc, length: bytes.length }).toEqual({ dc: 4, length: 3_466_798 });
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect(await decoded(bytes, '-ss', '20')).toBe('');
  });

  it('has no two videos with the same bytes', () => {
    expect(bytesOf(daily(2)).equals(bytesOf(daily(15)))).toBe(false);
  });

  it('has a sticker that decodes', async () => {
    expect(await sharp(bytesOf(daily(17))).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
    const [thumbnail] = daily(17).sizes;
    const small = thumbnail && readContent(fixture.world, daily(17), 'm', thumbnail.content, 0, 1 << 20);
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
  });
});
