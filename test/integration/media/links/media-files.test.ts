import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { chunkBytes } from '../../../../src/media/links/byte-range.ts';
import { DiskCache } from '../../../../src/media/links/disk-cache.ts';
import { MediaCache } from '../../../../src/media/links/media-cache.ts';
import { MediaFiles } from '../../../../src/media/links/media-files.ts';
import type { MediaLink } from '../../../../src/media/links/media-link.ts';
import { TelegramError } from '../../../../src/telegram/port/errors.ts';
import { type AccountFiles, MediaNotFoundError, type RemoteFile } from '../../../../src/telegram/port/files.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';

const link: MediaLink = {
  sessionId: 's1',
  account: '1001',
  ref: { chatId: '1002', messageId: '7', variant: 'file' },
};
const signal = new LightAbort();
const wait = (seconds: number): TelegramError => new TelegramError(420, `FLOOD_WAIT_${seconds}`, 'upload.GetFile');

/** A cache that says when everything is on the disk. */
class WatchedCache extends MediaCache {
  readonly #writes: Promise<void>[] = [];

  override async keepFacts(...args: Parameters<MediaCache['keepFacts']>): Promise<void> {
    const write = super.keepFacts(...args);
    this.#writes.push(write);
    await write;
  }

  override async keepChunk(...args: Parameters<MediaCache['keepChunk']>): Promise<void> {
    const write = super.keepChunk(...args);
    this.#writes.push(write);
    await write;
  }

  async written(): Promise<void> {
    await Promise.all(this.#writes);
    // A chunk that has been written is no longer served from memory.
    await new Promise(setImmediate);
  }
}

interface Shop {
  clock: DrivenClock;
  disk: DiskCache;
  cache: MediaCache;
  files: MediaFiles;
  /** What Telegram has under the link; undefined while the account is not connected. */
  account: AccountFiles | undefined;
  /** Where each chunk came from. */
  sources: string[];
  /** Lets what was written arrive on the disk. */
  written: () => Promise<void>;
}

async function openShop(): Promise<Shop> {
  const { path, remove } = await createTemporaryFolder();
  const clock = createDrivenClock({ turns: 20 });
  const disk = await DiskCache.open({
    folder: join(path, 'media-cache'),
    maxBytes: 20 * chunkBytes,
    clock,
    log: { warn: () => {} },
  });
  onTestFinished(async () => {
    await disk.close();
    await remove();
  });
  const sources: string[] = [];
  const cache = new WatchedCache(disk);
  const shop: Shop = {
    clock,
    disk,
    cache,
    account: undefined,
    sources,
    files: new MediaFiles({
      filesOf: (sessionId, account) => (sessionId === 's1' && account === '1001' ? shop.account : undefined),
      cache,
      clock,
      metrics: { chunkAsked: (source) => sources.push(source) },
    }),
    written: () => cache.written(),
  };
  return shop;
}

/** A file of so many bytes, whose chunks hold their number. */
function remoteFile(size: number, overrides: Partial<RemoteFile> = {}): RemoteFile {
  const read: RemoteFile['read'] = async (offset, limit) =>
    Buffer.alloc(Math.max(0, Math.min(limit, size - offset)), offset / chunkBytes);
  return { id: 'd1', size, mimetype: 'video/mp4', name: 'a.mp4', read, ...overrides };
}
const telegramWith = (file: RemoteFile): AccountFiles => ({ open: async () => file });
const refusing = (error: Error): AccountFiles => ({ open: () => Promise.reject(error) });

describe('the file of a link', () => {
  it('[ME4.1] is fetched in chunks, and each is kept', async () => {
    const shop = await openShop();
    shop.account = telegramWith(remoteFile(chunkBytes + 3));
    const file = await shop.files.find(link, signal);
    expect(file.facts).toEqual({ id: 'd1', size: chunkBytes + 3, mimetype: 'video/mp4', name: 'a.mp4' });
    expect(await file.chunk(1, signal)).toEqual(Buffer.alloc(3, 1));
    expect(await file.chunk(1, signal)).toEqual(Buffer.alloc(3, 1));
    await shop.written();
    expect(await file.chunk(1, signal)).toEqual(Buffer.alloc(3, 1));
    expect(shop.sources).toEqual(['telegram', 'cache', 'cache']);
  });

  it('[ME4.3] is served from the cache while the account is not connected, as far as it is there', async () => {
    const shop = await openShop();
    shop.account = telegramWith(remoteFile(3 * chunkBytes));
    const first = await shop.files.find(link, signal);
    for (const index of [0, 1]) await first.chunk(index, signal);
    await shop.written();
    shop.account = undefined;
    shop.sources.length = 0;
    const file = await shop.files.find(link, signal);
    expect(file.facts).toEqual(first.facts);
    expect(() => file.mustHave({ first: 5, last: 2 * chunkBytes - 1 })).not.toThrow();
    for (const last of [2 * chunkBytes, 3 * chunkBytes - 1]) {
      expect(() => file.mustHave({ first: 0, last })).toThrow('session not connected');
    }
    expect((await file.chunk(1, signal))[0]).toBe(1);
    await expect(file.chunk(2, signal)).rejects.toThrow('session not connected');
    expect(shop.sources).toEqual(['cache']);
  });

  it('[ME4.3] is an error while the account is not connected and nothing is kept', async () => {
    const shop = await openShop();
    await expect(shop.files.find(link, signal)).rejects.toMatchObject({ message: 'session not connected' });
  });

  it('[ME4.3] says how long Telegram asked to wait', async () => {
    const shop = await openShop();
    shop.account = refusing(wait(12));
    await expect(shop.files.find(link, signal)).rejects.toMatchObject({
      statusCode: 503,
      message: 'telegram asked to wait 12s',
      retryAfterSeconds: 12,
    });
  });

  it.each([
    ['30 s', 29_999, false],
    ['5 s, if it is kept', 4_999, true],
  ])('[ME4.3] is not waited for longer than %s', async (_, almostMs, isKept) => {
    const shop = await openShop();
    if (isKept) await shop.cache.keepFacts(link, { id: 'd1', size: 1, mimetype: 'video/mp4', name: '' });
    const asked = createGate();
    shop.account = {
      open: () => {
        asked.open();
        return new Promise(() => {});
      },
    };
    let outcome: unknown;
    const found = shop.files.find(link, signal);
    void found.then(
      ({ facts }) => {
        outcome = facts.id;
      },
      (error: Error) => {
        outcome = error.message;
      },
    );
    await asked.passed;
    await shop.clock.advance(almostMs);
    expect(outcome).toBeUndefined();
    await shop.clock.advance(1);
    expect(outcome).toBe(isKept ? 'd1' : 'telegram did not answer the media request in time');
  });

  it('[ME2.1] is forgotten once its message is deleted, though it was kept', async () => {
    const shop = await openShop();
    shop.account = telegramWith(remoteFile(1));
    await shop.files.find(link, signal);
    await shop.written();
    expect(await shop.cache.facts(link)).toMatchObject({ id: 'd1' });
    shop.account = refusing(new MediaNotFoundError());
    await expect(shop.files.find(link, signal)).rejects.toMatchObject({ statusCode: 404, message: 'media not found' });
    shop.account = undefined;
    await expect(shop.files.find(link, signal)).rejects.toThrow('session not connected');
  });

  it('[ME4.3] that was edited is kept as it is now', async () => {
    const shop = await openShop();
    for (const change of [{}, { id: 'd2' }, { mimetype: 'video/webm' }, { name: 'b.mp4' }, { size: 6 }]) {
      const file = remoteFile(5, change);
      shop.account = telegramWith(file);
      await shop.files.find(link, signal);
      await shop.written();
      const { id, size, mimetype, name } = file;
      expect(await shop.cache.facts(link)).toEqual({ id, size, mimetype, name });
    }
  });

  it('[ME2.1] of a viewer who has left is not served from the cache', async () => {
    const shop = await openShop();
    await shop.cache.keepFacts(link, { id: 'd1', size: 1, mimetype: 'video/mp4', name: '' });
    const left = new LightAbort();
    shop.account = {
      open: () => {
        left.abort(new Error('left'));
        return Promise.reject(new Error('anything'));
      },
    };
    await expect(shop.files.find(link, left)).rejects.toThrow('left');
  });
});

describe('a file whose type Telegram does not say', () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const photo = (id: string, bytes: Buffer): RemoteFile =>
    remoteFile(bytes.length, { id, mimetype: undefined, name: '', read: async () => bytes });

  it('[ME3.3] is recognised by its first bytes, once', async () => {
    const shop = await openShop();
    shop.account = telegramWith(photo('p1', jpeg));
    expect((await shop.files.find(link, signal)).facts.mimetype).toBe('image/jpeg');
    await shop.written();
    shop.sources.length = 0;
    expect((await shop.files.find(link, signal)).facts.mimetype).toBe('image/jpeg');
    expect(shop.sources).toEqual([]);
  });

  it('[ME3.3] is looked at again if it is another file than the kept one', async () => {
    const shop = await openShop();
    shop.account = telegramWith(photo('p1', jpeg));
    await shop.files.find(link, signal);
    await shop.written();
    shop.account = telegramWith(photo('p2', Buffer.from('GIF89a and more')));
    expect((await shop.files.find(link, signal)).facts).toMatchObject({ id: 'p2', mimetype: 'image/gif', size: 15 });
  });
});

describe('a chunk', () => {
  it('[ME4.5] of another length than it must have is refused, and not kept', async () => {
    const shop = await openShop();
    shop.account = telegramWith(remoteFile(10, { read: async () => Buffer.alloc(9) }));
    const file = await shop.files.find(link, signal);
    await expect(file.chunk(0, signal)).rejects.toThrow('chunk 0 of a file of 10 bytes has 9 bytes');
    await shop.written();
    expect(await shop.cache.chunk('s1', 'd1', 0)).toBeUndefined();
  });

  it('[ME4.1] is fetched once for two viewers', async () => {
    const shop = await openShop();
    const gate = createGate();
    let reads = 0;
    const read: RemoteFile['read'] = async () => {
      reads += 1;
      await gate.passed;
      return Buffer.from('x');
    };
    shop.account = telegramWith(remoteFile(1, { read }));
    const file = await shop.files.find(link, signal);
    const chunks = [file.chunk(0, signal), file.chunk(0, new LightAbort())];
    gate.open();
    expect(await Promise.all(chunks)).toEqual([Buffer.from('x'), Buffer.from('x')]);
    expect(reads).toBe(1);
  });

  it('[ME4.2] waits for the disk if four others are on their way to it', async () => {
    const shop = await openShop();
    const gate = createGate();
    shop.cache.keepChunk = () => gate.passed;
    const read = async (offset: number): Promise<Buffer> => {
      asked.push(offset / chunkBytes);
      return Buffer.alloc(chunkBytes, offset / chunkBytes);
    };
    const asked: number[] = [];
    shop.account = telegramWith(remoteFile(6 * chunkBytes, { read }));
    const file = await shop.files.find(link, signal);
    for (const index of [0, 1, 2, 3]) await file.chunk(index, signal);
    const fifth = file.chunk(4, signal);
    // Those on their way are served meanwhile.
    expect((await file.chunk(2, signal))[0]).toBe(2);
    await shop.clock.settle();
    expect(asked).toEqual([0, 1, 2, 3]);
    gate.open();
    expect((await fifth)[0]).toBe(4);
  });

  it('[ME4.3] before the headers is an error as soon as Telegram asks to wait', async () => {
    const shop = await openShop();
    shop.account = telegramWith(remoteFile(1, { read: () => Promise.reject(wait(4)) }));
    const file = await shop.files.find(link, signal);
    await expect(file.chunk(0, signal)).rejects.toThrow('telegram asked to wait 4s');
  });

  it('[ME4.4] after the headers is waited for as long as Telegram asks, up to 30 s', async () => {
    const shop = await openShop();
    const waits = [10, 19];
    const read: RemoteFile['read'] = async () => {
      const seconds = waits.shift();
      if (seconds !== undefined) throw wait(seconds);
      return Buffer.from('x');
    };
    shop.account = telegramWith(remoteFile(1, { read }));
    const file = await shop.files.find(link, signal);
    const chunk = file.chunk(0, signal, true);
    await shop.clock.advance(29_000);
    expect(await chunk).toEqual(Buffer.from('x'));
  });

  it('[ME4.4] after the headers is given up at once if the wait ends too late', async () => {
    const shop = await openShop();
    const waits = [10, 20];
    const read = (): Promise<never> => Promise.reject(wait(waits.shift() ?? 0));
    shop.account = telegramWith(remoteFile(1, { read }));
    const file = await shop.files.find(link, signal);
    const failure = failureOf(file.chunk(0, signal, true));
    await shop.clock.advance(10_000);
    expect(await failure).toMatchObject({ message: 'telegram asked to wait 20s' });
  });
});
