import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, TemporarySpace } from '../../../../src/media/outgoing/temporary-space.ts';
import { type KeptFile, KeptFiles, keptFileMs } from '../../../../src/media/uploads/kept-files.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

/** Files that sessions upload to send them later. */

const gigabyte = 1024 ** 3;
let folder: TemporaryFolder;
let clock: DrivenClock;
let files: KeptFiles;
let disk: Disk;
const uploads = (): string => join(folder.path, 'uploads');
const left = (): string[] => readdirSync(uploads());
const openFiles = (maxBytes = 20 * gigabyte): KeptFiles =>
  new KeptFiles({
    folder: uploads(),
    space: new TemporarySpace({ folder: folder.path, maxBytes, readDisk: () => Promise.resolve(disk) }),
    clock,
    randomness: createSeededRandomness(1, clock),
  });

beforeEach(async () => {
  folder = await createTemporaryFolder();
  clock = createDrivenClock();
  disk = { free: 100 * gigabyte, total: 100 * gigabyte };
  files = openFiles();
});
afterEach(async () => {
  files.close();
  await folder.remove();
  if (clock.armed() > 0) throw new Error('something still waits');
});

const about = { name: 'a/b.txt', mimetype: 'text/plain', announced: undefined };
const upload = (session: string, text: string, announced?: number): Promise<KeptFile> =>
  files.keep(session, { ...about, announced }, new PassThrough().end(text));
/** An upload that goes on until the test ends it. */
function begin(session: string, announced?: number): { body: PassThrough; kept: Promise<KeptFile | Error> } {
  const body = new PassThrough();
  const kept = files.keep(session, { ...about, announced }, body).catch((error: unknown) => error as Error);
  return { body, kept };
}

describe('a file that was uploaded', () => {
  it('[MX1.14] can be linked by its own session for an hour, and what was linked stays', async () => {
    const kept = await upload('one', 'hello');
    expect(kept).toMatchObject({ size: 5, name: 'a_b.txt', mimetype: 'text/plain', expires: clock.now() + keptFileMs });
    const target = join(folder.path, 'target');
    expect(await files.link('one', kept.id, target)).toMatchObject({ id: kept.id, size: 5 });
    for (const [session, id] of [
      ['two', kept.id],
      ['one', 'another'],
    ] as const) {
      expect(await failureOf(files.link(session, id, `${target}2`))).toMatchObject({
        statusCode: 400,
        message: 'file not found',
      });
    }
    await clock.advance(keptFileMs - 1);
    expect(files.find('one', kept.id)).toBeDefined();
    await clock.advance(1);
    expect(files.find('one', kept.id)).toBeUndefined();
    await expect.poll(left).toEqual([]);
    expect(readFileSync(target, 'utf8')).toBe('hello');
    expect(await failureOf(files.link('one', kept.id, `${target}3`))).toMatchObject({ message: 'file not found' });
  });

  it('[MX1.14] ends with its session, and so does what is still arriving', async () => {
    const kept = await upload('one', 'hello');
    const other = await upload('two', 'hello');
    const under = begin('one');
    under.body.write('some');
    await files.forget('one');
    expect(await under.kept).toMatchObject({ statusCode: 404, message: 'session not found' });
    expect(files.find('one', kept.id)).toBeUndefined();
    expect(left()).toEqual([other.id]);
  });

  it('[MX1.14] is gone after a restart, whatever the last run has left', async () => {
    const kept = await upload('one', 'hello');
    writeFileSync(join(uploads(), 'torn'), 'x');
    files.close();
    files = openFiles();
    expect(left()).toEqual([]);
    expect(files.find('one', kept.id)).toBeUndefined();
  });
});

describe('an upload', () => {
  it('[MX1.13] that breaks off leaves nothing behind, nor does one that is empty', async () => {
    const failing = begin('one', 100);
    failing.body.write('some');
    failing.body.destroy(new Error('gone'));
    expect(await failing.kept).toMatchObject({ message: 'gone' });
    const closed = begin('one');
    closed.body.write('some');
    closed.body.destroy();
    expect(await closed.kept).toMatchObject({ message: 'the stream was broken off' });
    expect(await failureOf(upload('one', ''))).toMatchObject({ statusCode: 400, message: 'file should not be empty' });
    expect(left()).toEqual([]);
  });

  it('[MX1.13] ends when nothing arrives for 30 s, and not before', async () => {
    const slow = begin('one');
    const written = (): number => left().reduce((sum, name) => sum + statSync(join(uploads(), name)).size, 0);
    for (let part = 1; part <= 10; part += 1) {
      slow.body.write('x');
      await expect.poll(written).toBe(part);
      await clock.advance(29_999);
    }
    expect(left()).toHaveLength(1);
    await clock.advance(1);
    expect(await slow.kept).toMatchObject({ statusCode: 408, message: 'request timeout' });
    expect(left()).toEqual([]);
    expect(slow.body.destroyed).toBe(false);
  });

  it('[MX1.12] has 2,097,152,000 bytes at most, announced or not', async () => {
    expect(await failureOf(upload('one', 'x', 2_097_152_001))).toMatchObject({ statusCode: 413 });
    expect(await upload('one', 'x', 2_097_152_000)).toMatchObject({ size: 1 });
  });

  it('[NB2.5] is one of eight of its session', async () => {
    const open = Array.from({ length: 8 }, () => begin('one'));
    expect(await failureOf(upload('one', 'x'))).toMatchObject({
      statusCode: 429,
      message: 'too many files of this session are under way',
    });
    await upload('two', 'x');
    open[3]?.body.end('x');
    await open[3]?.kept;
    await upload('one', 'x');
    for (const { body } of open) body.destroy();
    await Promise.all(open.map(({ kept }) => kept));
  });

  it('[NB2.5] has room in the share of its session and in that of all, which it gives back', async () => {
    const three = [begin('one', 2_000_000_000), begin('one', 2_000_000_000)];
    const tooMany = { statusCode: 429, message: 'too many files of this session are kept' };
    expect(await failureOf(upload('one', 'x', 4 * gigabyte - 4_000_000_000 + 1))).toMatchObject(tooMany);
    await upload('two', 'x');
    for (const { body } of three) body.destroy();
    await Promise.all(three.map(({ kept }) => kept));
    const kept = await upload('one', 'x', 2_000_000_000);
    expect(kept.size).toBe(1);
  });

  it('[NB2.5] takes half of MEDIA_TEMP_BYTES with all others, until it expires', async () => {
    files.close();
    files = openFiles(20);
    await upload('one', '123456');
    const tooMuch = { statusCode: 503, message: 'too many files are kept' };
    expect(await failureOf(upload('two', '12345'))).toMatchObject(tooMuch);
    expect(await failureOf(upload('two', '1', 5))).toMatchObject(tooMuch);
    await upload('two', '1234');
    await clock.advance(keptFileMs);
    await expect.poll(left).toEqual([]);
    expect(await upload('two', '1234567890')).toMatchObject({ size: 10 });
  });

  it('[NB2.5] leaves free what the event store needs', async () => {
    disk = { free: gigabyte + 10, total: 100 * gigabyte };
    expect(await failureOf(upload('one', 'x', 11))).toMatchObject({ message: 'there is no room for more files' });
    expect(await upload('one', 'x', 10)).toMatchObject({ size: 1 });
  });
});
