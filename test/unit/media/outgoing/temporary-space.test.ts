import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Disk,
  defaultTempBytes,
  type SendRoom,
  TemporarySpace,
} from '../../../../src/media/outgoing/temporary-space.ts';
import { createGate } from '../../../support/kit/gate.ts';

/** The disk that the files of all sends share (NB2). Sizes in bytes, of a space of 1,000. */

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;
const ofSession = { statusCode: 429, message: 'too many files of this session are under way', retryAfterSeconds: 5 };
const ofAll = { statusCode: 503, message: 'too many files are under way', retryAfterSeconds: 5 };
const noRoom = { statusCode: 503, message: 'there is no room for more files', retryAfterSeconds: 5 };

let disk: Disk;
let looks: number;
let space: TemporarySpace;
const newSpace = (maxBytes: number): TemporarySpace =>
  new TemporarySpace({
    folder: '/nowhere',
    maxBytes,
    readDisk: () => {
      looks += 1;
      return Promise.resolve(disk);
    },
  });
beforeEach(() => {
  disk = { free: 100 * gigabyte, total: 200 * gigabyte };
  looks = 0;
  space = newSpace(1000);
});

/** A send that lasts until the test ends it. */
function begin(sessionId: string, batch?: object): Promise<SendRoom & { end: () => Promise<void> }> {
  const last = createGate();
  return new Promise((resolve, reject) => {
    const ended = space.lend({ sessionId, batch }, async (room) => {
      const end = (): Promise<void> => {
        last.open();
        return ended;
      };
      resolve({ ...room, end });
      await last.passed;
    });
    ended.catch(reject);
  });
}

describe('the sends of a session', () => {
  it('[NB2.2] are 8 at a time, and the next one begins when one has ended', async () => {
    const sends = await Promise.all(Array.from({ length: 8 }, () => begin('a')));
    await expect(begin('a')).rejects.toMatchObject(ofSession);
    await begin('b');
    await sends[3]?.end();
    await begin('a');
    await expect(begin('a')).rejects.toMatchObject(ofSession);
  });

  it('[NB2.2] count once if they are of one album', async () => {
    const album = {};
    const pictures = await Promise.all(Array.from({ length: 10 }, () => begin('a', album)));
    await Promise.all(Array.from({ length: 7 }, () => begin('a')));
    await expect(begin('a')).rejects.toMatchObject(ofSession);
    await pictures[0]?.end();
    await expect(begin('a')).rejects.toMatchObject(ofSession);
    for (const picture of pictures) await picture.end();
    await begin('a');
  });

  it('[NB2.2] end with what ends them, and leave nothing behind', async () => {
    for (let sends = 0; sends < 20; sends += 1) {
      const send = space.lend({ sessionId: 'a' }, async (room) => {
        await room.file().announce(600);
        throw new Error('the server is gone');
      });
      await expect(send).rejects.toThrow('the server is gone');
    }
    const { end, ...room } = await begin('a');
    await room.file().announce(1000);
    await end();
  });
});

describe('the room', () => {
  it('[NB2.1] counts the announced length of a file, and once', async () => {
    const file = (await begin('a')).file();
    await file.announce(700);
    await file.write(100);
    await file.write(700);
    await expect((await begin('b')).file().announce(301)).rejects.toMatchObject(ofAll);
    await (await begin('c')).file().announce(300);
  });

  it('[NB2.1] counts what is written of a file whose length nobody announced', async () => {
    const file = (await begin('a')).file();
    const other = (await begin('b')).file();
    await file.write(400);
    await file.write(800);
    await other.write(200);
    await expect(other.write(201)).rejects.toMatchObject(ofAll);
    await expect(file.write(801)).rejects.toMatchObject(ofAll);
  });

  it('[NB2.1] counts more than was announced as well', async () => {
    const file = (await begin('a')).file();
    await file.announce(10);
    await expect(file.write(1001)).rejects.toMatchObject(ofAll);
  });

  it('[NB2.3] is half at most for the sends of one session together', async () => {
    await (await begin('a')).file().announce(300);
    const second = await begin('a');
    await second.file().announce(200);
    await expect(second.file().announce(1)).rejects.toMatchObject(ofSession);
    await expect((await begin('a')).file().write(1)).rejects.toMatchObject(ofSession);
    await (await begin('b')).file().announce(400);
  });

  it('[NB2.3] is all there is for a single send, with all of its files', async () => {
    const send = await begin('a');
    expect(send.maxFileBytes).toBe(1000);
    await send.file().announce(900);
    await send.file().write(100);
    await expect(send.file().write(1)).rejects.toMatchObject(ofAll);
  });

  it('[NB2.1] is free again when a send has ended', async () => {
    const first = await begin('a');
    await first.file().announce(1000);
    await expect((await begin('b')).file().announce(1)).rejects.toMatchObject(ofAll);
    await first.end();
    await (await begin('b')).file().announce(1000);
  });
});

describe('the disk', () => {
  beforeEach(() => {
    space = newSpace(10 * gigabyte);
  });

  it('[NB2.4] keeps a tenth free for the event store, announced bytes deducted', async () => {
    disk = { free: 500 * megabyte, total: 1000 * megabyte };
    await (await begin('a')).file().announce(300 * megabyte);
    await expect((await begin('b')).file().announce(101 * megabyte)).rejects.toMatchObject(noRoom);
  });

  it('[NB2.4] keeps 1 GB free where a tenth is more', async () => {
    disk = { free: 3 * gigabyte, total: 1000 * gigabyte };
    await (await begin('a')).file().announce(2 * gigabyte);
    await expect((await begin('b')).file().announce(1)).rejects.toMatchObject(noRoom);
  });

  it('[NB2.4] is looked at while files are written, whether announced or not', async () => {
    for (const isAnnounced of [true, false]) {
      const send = await begin('a');
      const file = send.file();
      disk = { free: 100 * gigabyte, total: 200 * gigabyte };
      if (isAnnounced) await file.announce(64 * megabyte);
      disk = { free: megabyte, total: 100 * megabyte };
      looks = 0;
      const write = async (): Promise<void> => {
        for (let size = megabyte; size <= 64 * megabyte; size += megabyte) await file.write(size);
      };
      await expect(write()).rejects.toMatchObject(noRoom);
      expect(looks).toBe(1);
      await send.end();
    }
  });

  it('[NB2.4] is not looked at for each piece', async () => {
    const file = (await begin('a')).file();
    for (let size = megabyte; size <= 64 * megabyte; size += megabyte) await file.write(size);
    expect(looks).toBe(16);
  });

  it('[NB2.4] that is full all the same is told as such', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await expect(space.lend({ sessionId: 'a' }, () => Promise.reject(full))).rejects.toMatchObject(noRoom);
    const other = new Error('another fault');
    await expect(space.lend({ sessionId: 'a' }, () => Promise.reject(other))).rejects.toBe(other);
  });

  it('[NB2.4] is the disk of the folder, of which the sends take half at most', async () => {
    const bytes = defaultTempBytes(tmpdir());
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(10 * gigabyte);
    space = new TemporarySpace({ folder: tmpdir(), maxBytes: bytes });
    await (await begin('a')).file().announce(1);
  });
});
