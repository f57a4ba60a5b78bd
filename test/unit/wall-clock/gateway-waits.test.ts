import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { TokenBucket } from '../../../actors/runtime/token-bucket.ts';
import { ChatCache } from '../../../src/chats/chat-cache.ts';
import { chatFields } from '../../../src/chats/chat-fields.ts';
import { FloodWaitGate } from '../../../src/chats/flood-wait-gate.ts';
import { DiskCache } from '../../../src/media/links/disk-cache.ts';
import { MediaCache } from '../../../src/media/links/media-cache.ts';
import { MediaFiles } from '../../../src/media/links/media-files.ts';
import { createRetention } from '../../../src/retention/retention.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import type { Chat } from '../../../src/telegram/port/chats.ts';
import { TelegramError } from '../../../src/telegram/port/errors.ts';
import { itLastsAsLong, type WaitRun } from '../../support/kit/wall-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const bucketRuns = ['1000 waiting, ran 0', '1000 ran 2', '1500 ran 1', '2000 ran 1', '2500 ran 1'];
itLastsAsLong('a token bucket', bucketRuns, async (world) => {
  const { clock, note, pass, setWallClock } = world;
  let ran = 0;
  const bucket = new TokenBucket(clock, 2, () => {
    ran += 1;
  });
  for (let item = 0; item < 5; item += 1) bucket.add(item);
  await pass(1_000);
  note(`waiting, ran ${ran}`);
  bucket.begin();
  for (let passed = 0; passed < 2_000; passed += 100) {
    if (ran > 0) note(`ran ${ran}`);
    ran = 0;
    if (passed === 200) setWallClock();
    await pass(100);
  }
});

itLastsAsLong(
  'a wait that Telegram asked for',
  ['59000 FLOOD_WAIT_41', '99999 FLOOD_WAIT_1', '100000 asked'],
  async ({ clock, note, pass, setWallClock }) => {
    const gate = new FloodWaitGate(clock);
    const ask = (answer: () => Promise<unknown>): Promise<unknown> =>
      gate.observed(answer).catch((error: unknown) => error);
    await ask(() => Promise.reject(new TelegramError(420, 'FLOOD_WAIT_100', 'channels.GetFullChannel')));
    const look = async (): Promise<void> => {
      const answer = await ask(async () => 'asked');
      note(answer instanceof TelegramError ? answer.errorName : String(answer));
    };
    await pass(30_000);
    setWallClock();
    await pass(29_000);
    await look();
    await pass(40_999);
    await look();
    await pass(1);
    await look();
  },
);

const chat: Chat = {
  kind: 'group',
  id: '-1001',
  name: 'Makers',
  username: '',
  photo: undefined,
  joined: 0,
  isAdmin: false,
};

itLastsAsLong(
  'a description in the cache',
  ['0 asked', '300001 asked'],
  async ({ clock, note, pass, setWallClock }) => {
    const cache = new ChatCache(clock);
    const chats = {
      details: async () => {
        note('asked');
        return { description: 'About' };
      },
    } as unknown as TelegramAccount['chats'];
    await cache.details(chats, chat);
    await pass(2 * minuteMs);
    setWallClock();
    await pass(3 * minuteMs);
    await cache.details(chats, chat);
    await pass(1);
    await cache.details(chats, chat);
  },
);

itLastsAsLong(
  'the time for the descriptions of one list',
  ['60000 given up', '60000 given up'],
  async ({ clock, note, pass, setWallClock }) => {
    const chats = { details: () => new Promise(() => undefined), photo: () => new Promise(() => undefined) };
    const account = { chats } as unknown as TelegramAccount;
    const fields = chatFields({ account, cache: new ChatCache(clock), clock });
    const ask = (): void => void fields.details(chat).then(() => note('given up'));
    ask();
    await pass(30_000);
    setWallClock();
    ask();
    await pass(hourMs);
  },
);

async function openCache({ clock }: Pick<WaitRun, 'clock'>): Promise<DiskCache> {
  const folder = await mkdtemp(join(tmpdir(), 'wall-clock-'));
  const cache = await DiskCache.open({ folder, maxBytes: 1_024, clock, log: { warn: () => undefined } });
  onTestFinished(async () => {
    await cache.close();
    await rm(folder, { recursive: true });
  });
  return cache;
}

itLastsAsLong(
  'a file in the cache of media',
  ['3599999 in memory', '3600000 gone', '3600000 0 bytes'],
  async (world) => {
    const { note, pass, setWallClock } = world;
    const cache = await openCache(world);
    await cache.write('s1', 'a', Buffer.from('a'));
    const look = (): void => note(cache.has('s1', 'a') ? 'in memory' : 'gone');
    await pass(10 * minuteMs);
    setWallClock();
    await pass(50 * minuteMs - 1);
    look();
    await pass(1);
    look();
    note(`${cache.bytes} bytes`);
  },
);

itLastsAsLong('the waits of one chunk of a file', ['0 asked', '20000 asked', '20000 given up'], async (world) => {
  const { clock, note, pass, setWallClock } = world;
  const cache = new MediaCache(await openCache(world));
  const read = (): Promise<Buffer> => {
    note('asked');
    return Promise.reject(new TelegramError(420, 'FLOOD_WAIT_20', 'upload.GetFile'));
  };
  const remote = { id: 'f1', size: 5, mimetype: 'text/plain', name: '', read };
  const files = new MediaFiles({
    filesOf: () => ({ open: async () => remote }),
    cache,
    clock,
    metrics: { chunkAsked: () => undefined },
  });
  const ref = { chatId: '1001', messageId: '7', variant: 'media' } as const;
  const link = { sessionId: 's1', account: '1001', ref } as unknown as Parameters<MediaFiles['find']>[0];
  const file = await files.find(link, new LightAbort());
  const chunk = file.chunk(0, new LightAbort(), true).catch(() => note('given up'));
  for (let passed = 0; passed < 40_000; passed += 1_000) {
    if (passed === 10_000) setWallClock();
    await filesAreRead();
    await pass(1_000);
  }
  await chunk;
});

/** The disk has no clock: what is under way there ends before more time passes. */
async function filesAreRead(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')));
  await new Promise((resolve) => setImmediate(resolve));
}

itLastsAsLong(
  'the day between two prunings, and the pause after a failed one',
  ['0 pruned', '86400000 store away', '87000000 pruned', '173400000 pruned'],
  async ({ clock, note, pass, setWallClock }) => {
    let runs = 0;
    const list = ({ state }: { state?: string }): never[] => {
      if (state !== 'ended' && runs === 1) setWallClock();
      if (state !== 'ended') return [];
      const isAway = (runs += 1) === 2;
      note(isAway ? 'store away' : 'pruned');
      if (isAway) throw new StoreUnavailableError('away');
      return [];
    };
    const retention = createRetention({
      store: {
        erase: () => Promise.resolve(),
        truncate: () => Promise.resolve(),
        last: () => Promise.resolve(undefined),
        read: async function* () {},
      },
      views: { list, remove: () => undefined },
      clock,
      days: 90,
      trimDeliveries: () => Promise.resolve(),
      log: { info: () => undefined, warn: () => undefined },
    });
    retention.start();
    await pass(48 * hourMs + 10 * minuteMs);
    await retention.stop();
  },
);
