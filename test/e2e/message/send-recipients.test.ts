import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { reachable, sha256, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { useWriting } from '../../support/e2e/writing-scene.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { makeSample } from '../../support/media/scene.ts';

/** Every type of `POST /message` to every kind of receiver, as the phones at the other end see it. */

const files = useFiles();
const writing = useWriting(reachable);
const { newText, send, seen } = writing;

const pdf = Buffer.from(`%PDF-1.7\n${'a page of text\n'.repeat(5_000)}%%EOF`);
let png: Buffer;
let mp4: Buffer;
let mp3: Buffer;

beforeAll(async () => {
  const folder = await createTemporaryFolder();
  png = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10:duration=2'];
  mp4 = await makeSample(join(folder.path, 'a.mp4'), ...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  mp3 = await makeSample(join(folder.path, 'a.mp3'), '-f', 'lavfi', '-i', 'sine=frequency=440:duration=3');
  await folder.remove();
});

/** What is sent, and what is seen of it. */
interface Sample {
  body: object;
  seen: object;
}

const types: Record<string, () => Sample> = {
  text: () => {
    const text = newText();
    return { body: { type: 'text', text: `**${text}**`, parseMode: 'markdown' }, seen: { text, media: null } };
  },
  image: () => {
    const text = newText();
    const image = { url: files.serve(png, 'blue.png'), mimetype: 'image/png' };
    return {
      body: { type: 'image', text: `<b>${text}</b>`, parseMode: 'html', image },
      seen: {
        text,
        entities: [{ _: 'messageEntityBold', offset: 0, length: text.length }],
        media: { kind: 'photo', mime: 'image/jpeg', width: 640, height: 400, caption: text },
      },
    };
  },
  video: () => {
    const text = newText();
    const video = { url: files.serve(mp4, 'test.mp4'), mimetype: 'video/mp4', duration: 99 };
    return {
      body: { type: 'video', text, video },
      seen: {
        text,
        media: {
          kind: 'video',
          mime: 'video/mp4',
          name: 'test.mp4',
          size: mp4.length,
          sha256: sha256(mp4),
          duration: 2,
          width: 320,
          height: 240,
          streamable: true,
          thumbnail: { width: 320, height: 240 },
          caption: text,
        },
      },
    };
  },
  audio: () => {
    const audio = { url: files.serve(mp3, 'tune.mp3'), mimetype: 'audio/mpeg', duration: 1 };
    return {
      body: { type: 'audio', text: 'is not shown', audio },
      seen: {
        text: '',
        media: {
          kind: 'audio',
          mime: 'audio/mpeg',
          name: 'tune.mp3',
          size: mp3.length,
          sha256: sha256(mp3),
          duration: 1,
        },
      },
    };
  },
  document: () => {
    const text = newText();
    const document = {
      url: files.serve(pdf, 'x'),
      name: 'Отчёт 2026 – 報告.pdf',
      size: pdf.length,
      mimetype: 'application/pdf',
    };
    return {
      body: { type: 'document', text, document },
      seen: {
        text,
        media: {
          kind: 'document',
          mime: 'application/pdf',
          name: 'Отчёт 2026 – 報告.pdf',
          size: pdf.length,
          sha256: sha256(pdf),
          caption: text,
        },
      },
    };
  },
  location: () => ({
    body: { type: 'location', location: { latitude: 52.5163, longitude: -13.3777, name: 'Gate', address: 'Square 1' } },
    seen: {
      text: '',
      media: { kind: 'venue', latitude: 52.5163, longitude: -13.3777, title: 'Gate', address: 'Square 1' },
    },
  }),
  contact: () => ({
    body: { type: 'contact', contact: { name: 'Eve van der Berg', phone: '+15550000009' } },
    seen: {
      text: '',
      media: { kind: 'contact', phone: '+15550000009', firstName: 'Eve', lastName: 'van der Berg' },
    },
  }),
};

/** The receiver's field, its value, and who sees the message in which chat. */
const receivers: [field: string, value: string, chat: string, viewer: string][] = [
  ['group', '-2001', '-2001', bob],
  ['channel', '-1004001', '-1004001', ann],
  ['user', bob, ann, bob],
  ['username', '@bob', ann, bob],
  ['phone', '+1 555 000 0002', ann, bob],
];

const cases = Object.keys(types).flatMap((type) =>
  receivers.map((receiver): [string, ...(typeof receivers)[number]] => [type, ...receiver]),
);

describe('POST /message', () => {
  it.each(cases)('[MS5.1] %s to %s %s', async (type, field, value, chat, viewer) => {
    const sample = (types[type] as () => Sample)();
    const { status, body } = await send({ [field]: value, ...sample.body });
    expect([status, body]).toEqual([200, { messageId: expect.stringMatching(/^[1-9]\d*$/) }]);
    expect(await seen(chat, viewer, 1)).toMatchObject([sample.seen]);
    const own = chat === ann ? bob : chat;
    expect(await seen(own, ann, 1)).toMatchObject([{ id: Number(body['messageId']), ...sample.seen }]);
  });

  it.each<[object, object]>([
    [
      { latitude: -33.8568, longitude: 151.2153 },
      { kind: 'location', latitude: -33.8568, longitude: 151.2153 },
    ],
    [{ latitude: 1, longitude: 2, name: '', address: '' }, { kind: 'location' }],
    [
      { latitude: 1, longitude: 2, name: 'Here' },
      { kind: 'venue', title: 'Here', address: '' },
    ],
    [
      { latitude: 1, longitude: 2, address: 'Street 5' },
      { kind: 'venue', title: 'Street 5', address: 'Street 5' },
    ],
  ])('[MS5.2] location %j', async (location, media) => {
    expect(await send({ user: bob, type: 'location', location })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media }]);
  });

  it.each([
    ['Eve', 'Eve', ''],
    [' Eve  Adams ', 'Eve', 'Adams'],
    ['李 小龍', '李', '小龍'],
  ])('[MS5.2] contact %j', async (name, firstName, lastName) => {
    const contact = { name, phone: '15550000009' };
    expect(await send({ user: bob, type: 'contact', contact })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { kind: 'contact', firstName, lastName } }]);
  });

  it('[MS8.1] media can answer a message, and be silent', async () => {
    const first = await send({ user: bob, type: 'text', text: newText() });
    const replyTo = String(first.body['messageId']);
    const image = { url: files.serve(png), mimetype: 'image/png' };
    expect(await send({ user: bob, type: 'image', image, replyTo, silent: true })).toMatchObject({ status: 200 });
    expect(await seen(bob, ann, 1)).toMatchObject([{ replyTo: Number(replyTo), silent: true }]);
  });
});
