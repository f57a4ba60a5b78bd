import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeJpeg } from '../../../../src/media/outgoing/image.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { png } from '../../../support/media/png.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** `made`, or what the caller is told. Only the head of the picture is there: more would not be read. */
async function outcomeOf(bytes: Buffer, isPhoto = false): Promise<string> {
  const source = `${folder.path}/source`;
  writeFileSync(source, bytes);
  const made = makeJpeg(source, `${folder.path}/target`, 2560, isPhoto);
  return made.then(
    () => 'made',
    (error: Error) => error.message,
  );
}

const tooMany = 'error compress image: it has too many pixels';
const tooLong = '400: PHOTO_INVALID_DIMENSIONS (caused by messages.SendMedia)';
const head = { rows: 1 };

it.each([
  ['a million in a line', png(1_000_000, 268, head)],
  ['a million in a line, RGBA of 16 bits', png(1_000_000, 268, { ...head, color: 'rgba', depth: 16 })],
  ['RGBA of 16 bits, in a square', png(16_000, 16_000, { ...head, color: 'rgba', depth: 16 })],
  ['RGB, 60,000 in a line', png(60_000, 4_000, { ...head, color: 'rgb' })],
  ['interlaced', png(7_000, 6_000, { ...head, color: 'rgba', interlaced: true })],
])('[NB4.1] a picture that takes too much memory is refused by its head: %s', async (_name, bytes) => {
  expect(await outcomeOf(bytes)).toBe(tooMany);
  expect([tooMany, tooLong]).toContain(await outcomeOf(bytes, true));
});

it.each([
  ['wide', png(2_001, 100, head)],
  ['tall', png(100, 2_001, head)],
  ['a line', png(21, 1, head)],
  ['a million in a line', png(1_000_000, 268, { ...head, color: 'rgba', depth: 16 })],
])('[NB4.2] a photo with sides over 20:1 is refused as Telegram does: %s', async (_name, bytes) => {
  expect(await outcomeOf(bytes, true)).toBe(tooLong);
});

it('[NB4.2] 20:1 is a photo, and a thumbnail may be longer', async () => {
  expect(await outcomeOf(png(2_000, 100), true)).toBe('made');
  expect(await outcomeOf(png(100, 2_000), true)).toBe('made');
  expect(await outcomeOf(png(2_001, 100))).toBe('made');
});
