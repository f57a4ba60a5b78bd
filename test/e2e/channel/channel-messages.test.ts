import { describe, expect, it } from 'vitest';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';

/** `GET /channel/message` against the seeded world. */

interface Doc extends Record<string, unknown> {
  id: string;
  serverId: number;
  url: string;
  type: string;
  text: string;
  created: string;
}
interface Page {
  docs: Doc[];
  before: number;
}
/** A message as the sandbox tells it. */
interface Told {
  id: number;
  date: string;
  text: string;
  service: string | null;
  media: (Record<string, unknown> & { kind: string; mime: string }) | null;
}

const reading = useReading();
const { callsDuring, get } = reading;

async function page(channelId: string, before?: number | string): Promise<Page> {
  const query = new URLSearchParams({ channelId, ...(before !== undefined && { before: String(before) }) });
  const { status, body } = await get<Page>(`/channel/message?${query.toString()}`);
  expect([status, Object.keys(body)]).toEqual([200, ['docs', 'before']]);
  return body;
}

/** Follows `before` to the beginning. */
async function walk(channelId: string): Promise<Page[]> {
  const pages = [await page(channelId)];
  for (let last = pages[0]; last !== undefined && last.before !== 0; last = pages.at(-1)) {
    pages.push(await page(channelId, last.before));
  }
  return pages;
}

const told = (peer: string): Promise<Told[]> =>
  reading.scene.sandbox.call('GET', `/accounts/${ann}/messages?peer=${peer}&limit=1000`);
const write = (peer: string, body: object, by = ann): Promise<{ messageId: string }> =>
  reading.scene.sandbox.call('POST', `/accounts/${by}/messages`, { peer, ...body });

const link = (messageId: number, variant: string, ext: string): RegExp =>
  new RegExp(`^http://127\\.0\\.0\\.1:\\d+/media/[\\da-f-]{36}/-1004001/${messageId}/${variant}/[\\w-]{43}\\.${ext}$`);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** CH3, once more, of what the sandbox says that it holds. */
function expected({ id, date, text, media }: Told): object {
  const common = { id: String(id), serverId: id, url: `https://t.me/daily/${id}`, text, created: date };
  switch (media?.kind) {
    case 'photo':
      return {
        ...common,
        type: 'image',
        image: {
          url: matching(link(id, 'photo', 'jpg')),
          thumbnail: matching(link(id, 'thumb', 'jpg')),
          mimetype: 'image/jpeg',
        },
      };
    case 'video':
    case 'round':
    case 'gif': {
      const { mime: mimetype, duration } = media;
      return {
        ...common,
        type: 'video',
        video: {
          url: matching(link(id, 'file', '(mp4|webm)')),
          thumbnail: matching(link(id, 'thumb', 'jpg')),
          duration,
          mimetype,
        },
      };
    }
    case 'sticker':
    case 'animatedSticker':
      return {
        ...common,
        type: 'sticker',
        sticker: { url: matching(link(id, 'file', 'webp')), mimetype: 'image/webp' },
      };
    case 'document':
    case 'audio':
    case 'voice': {
      const { mime: mimetype, size, name } = media;
      const ext = { document: 'pdf', audio: 'mp3', voice: 'ogg' }[media.kind];
      const url = matching(link(id, 'file', ext));
      return { ...common, type: 'document', document: { url, name: name || 'voice.ogg', size, mimetype } };
    }
    case 'poll':
      return { ...common, type: 'poll', polling: { name: media['question'], options: media['options'] } };
    case 'webpage':
    case undefined:
      return { ...common, type: 'text' };
    default:
      return { ...common, type: 'text', text: text || 'UNSUPPORTED TYPE' };
  }
}

describe('pages', () => {
  it('[CH2.1] all of Daily, newest first, every kind in CH3, service messages left out', async () => {
    const pages = await walk('daily');
    const all = await told('-1004001');
    expect(new Set(all.map(({ media }) => media?.kind)).size).toBeGreaterThanOrEqual(14);
    const docs = pages.flatMap((each) => each.docs);
    expect(docs).toEqual(all.filter(({ service }) => service === null).map(expected));
    expect(docs.length).toBeLessThan(all.length);
    expect(pages.map(({ before }) => before)).toEqual([161, 61, 0]);
    // Service messages are four of the last page.
    expect(pages.map((each) => each.docs.length)).toEqual([100, 100, 56]);
  });

  it('[CH2.1] one request for the newest page, two where only Telegram knows whether there is more', async () => {
    expect(await callsDuring('messages.getHistory', () => page('daily'))).toBe(1);
    expect(await callsDuring('messages.getHistory', () => page('daily', 161))).toBe(2);
  });

  it('[CH3.1] albums are their single messages', async () => {
    const docs = (await walk('daily')).flatMap((each) => each.docs);
    const album = docs.filter(({ serverId }) => serverId >= 40 && serverId < 43);
    expect(album.map(({ type, text }) => [type, text])).toEqual([
      ['image', ''],
      ['image', ''],
      ['image', 'An album of three'],
    ]);
  });

  it('[CH2.1] fields stand in the order of the interface', async () => {
    const [text] = (await page('daily')).docs;
    expect(Object.keys(text ?? {})).toEqual(['id', 'serverId', 'url', 'type', 'text', 'created']);
    const [image] = (await page('daily', 201)).docs;
    expect(Object.keys(image ?? {})).toEqual(['id', 'serverId', 'url', 'type', 'text', 'image', 'created']);
  });

  it('[CH2.1] a private channel: links for its members, and one page', async () => {
    const { docs, before } = await page('-1004002');
    expect(before).toBe(0);
    expect(docs.map(({ url, text, type }) => [url, type, text])).toEqual(
      ['Fifth', 'Fourth', 'Third', 'Second', 'First'].map((name, index) => [
        `https://t.me/c/4002/${5 - index}`,
        'text',
        `${name} note`,
      ]),
    );
  });

  it('[CH2.1] exactly 100, 101, and holes at the end of a page', async () => {
    const remove = (id: number): Promise<unknown> =>
      reading.scene.sandbox.call('DELETE', `/accounts/${bob}/messages/-1004002/${id}`);
    for (let id = 6; id <= 100; id++) await write('-1004002', { text: `Note ${id}` }, bob);
    expect(await page('-1004002')).toMatchObject({ before: 0, docs: { length: 100 } });
    await write('-1004002', { text: 'Note 101' }, bob);
    expect(await page('-1004002')).toMatchObject({ before: 2, docs: { length: 100 } });
    expect(await page('-1004002', 2)).toMatchObject({ before: 0, docs: [{ serverId: 1 }] });
    expect(await page('-1004002', 102)).toMatchObject({ before: 2 });
    // The beginning is deleted: what was the rest is all there is.
    await remove(1);
    expect(await page('-1004002')).toMatchObject({ before: 0, docs: { length: 100 } });
    expect(await page('-1004002', 102)).toMatchObject({ before: 0, docs: { length: 100 } });
    expect(await page('-1004002', 2)).toEqual({ before: 0, docs: [] });
    await remove(50);
    expect(await page('-1004002', 102)).toMatchObject({ before: 0, docs: { length: 99 } });
    expect(await page('-1004002', 1)).toEqual({ before: 0, docs: [] });
  });

  it('[CH2.1] a page of nothing but service messages is empty, and not the last one', async () => {
    const { world } = reading.scene.telegram;
    const box = 'channel:4001';
    for (let id = 101; id <= 200; id++) {
      const row = world.tables.message(box, id);
      if (row !== undefined) world.tables.messages.put({ ...row, text: '', action: { _: 'messageActionPinMessage' } });
    }
    expect(await page('daily', 201)).toEqual({ docs: [], before: 101 });
    expect((await page('daily', 101)).docs[0]?.serverId).toBe(100);
  });

  it('[CH2.1] a message that was just written is the first', async () => {
    const { messageId } = await write('-1004001', { text: 'Hot off the press' });
    const { docs } = await page('daily');
    expect(docs[0]).toMatchObject({ id: messageId, text: 'Hot off the press', type: 'text' });
  });
});

describe('before', () => {
  it.each(['', '0', '999999', '2147483647', '2147483648', '999999999999'])('[CH2.1] %j: the newest', async (before) => {
    expect((await page('-1004002', before)).docs[0]).toMatchObject({ text: 'Note 101' });
  });

  it.each(['x', '-5', '1.5', '1e3', ' 7', '0x10'])('[ER2.2] %j', async (before) => {
    const { status, body } = await get(`/channel/message?channelId=daily&before=${encodeURIComponent(before)}`);
    expect([status, body]).toEqual([400, { statusCode: 400, message: 'before must be a number' }]);
  });
});

describe('channelId', () => {
  it.each([
    ['', 'channelId must be a string\nchannelId should not be empty'],
    ['?channelId=', 'channelId should not be empty'],
    ['?before=x', 'channelId must be a string\nchannelId should not be empty\nbefore must be a number'],
    ['?channelId=a&channelId=b', 'channelId must be a string'],
  ])('[CH2.2] /channel/message%s: %j', async (query, message) => {
    const { status, body } = await get(`/channel/message${query}`);
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
  });

  it.each(['-1004001', '@daily', 'https://t.me/daily'])('[MS1.4] %s', async (channelId) => {
    expect((await page(channelId, 101)).docs[0]).toMatchObject({ url: 'https://t.me/daily/100' });
  });
});

describe('what Telegram refuses', () => {
  it('[ER3.1] passes through', async () => {
    await reading.fault({ method: 'messages.getHistory', error: 'MSG_ID_INVALID', code: 400, times: 1 });
    const { status, body } = await get('/channel/message?channelId=daily');
    const message = '400: MSG_ID_INVALID (caused by messages.GetHistory)';
    expect([status, body]).toEqual([500, { statusCode: 500, message }]);
  });

  it('[ER3.2] [ER3.5] a long wait; meanwhile the rest of it', async () => {
    await reading.fault({ method: 'messages.getHistory', error: 'FLOOD_WAIT_90', code: 420, times: 1 });
    const { status, body, headers } = await get('/channel/message?channelId=daily');
    const message = 'A wait of 90 seconds is required (caused by messages.GetHistory)';
    expect([status, body, headers.get('retry-after')]).toEqual([500, { statusCode: 500, message }, '90']);
    await reading.scene.pass(30_000);
    const again = await get('/channel/message?channelId=daily');
    expect(again.headers.get('retry-after')).toBe('60');
    await reading.scene.pass(60_000);
  });

  it('[ER3.2] an answer that is lost is asked for again', async () => {
    await reading.fault({ method: 'messages.getHistory', dropAnswer: true, times: 1 });
    const answer = await reading.scene.whilePassing(page('daily', 101));
    expect(answer.docs[0]).toMatchObject({ serverId: 100 });
  });
});
