import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LightAbort, type LightAbortSignal } from '../../../../../actors/kit/light-abort.ts';
import type { OutgoingText, TelegramAccount } from '../../../../../src/telegram/port/account.ts';
import type { OutgoingFile, OutgoingMedia } from '../../../../../src/telegram/port/outgoing.ts';
import type { Peer } from '../../../../../src/telegram/port/peer.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { noise, seededJpeg, writeOutgoing } from '../../../../support/telegram/outgoing-files.ts';
import { type Observed, openScene, type Scene, until, watch } from '../../../../support/telegram/scene.ts';

/** A message as the sandbox shows it to the one who got it. */
interface Arrived {
  id: number;
  text: string;
  media?: { kind: string; size?: number; sha256?: string } & Record<string, unknown>;
}

const anyTime = new LightAbort();
let folder: TemporaryFolder;
let scene: Scene;
let link: Observed;
let ann: TelegramAccount;
let bob: Peer;
let lastRandomId = 0n;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  scene = await openScene();
  link = await scene.loggedIn('ann', '1001');
  ann = link.account();
  bob = await ann.userById('1002', anyTime);
});
afterEach(() => scene.control('DELETE', '/faults'));
afterAll(async () => {
  await scene.close();
  await folder.remove();
});

const fileOf = (bytes: Buffer, name: string, mimetype: string): Promise<OutgoingFile> =>
  writeOutgoing(folder.path, bytes, name, mimetype);
const aJpeg = (size?: string): Promise<Buffer> => seededJpeg(scene, size);
const caption = (text = '', more: Partial<OutgoingText> = {}): OutgoingText => ({
  text,
  entities: [],
  randomId: (lastRandomId += 1n),
  begunAt: scene.clock.now(),
  ...more,
});
const sendMedia = (
  peer: Peer,
  media: OutgoingMedia,
  message: OutgoingText,
  signal: LightAbortSignal,
): Promise<number> => ann.sendMedia(peer, media, message, () => Promise.resolve(message), signal);
const inChat = (peer = '1001', viewer = '1002'): Promise<Arrived[]> =>
  scene.control('GET', `/accounts/${viewer}/messages?peer=${peer}&limit=100`);
const calls = async (method: string): Promise<number> =>
  (await scene.control<unknown[]>('GET', `/calls?method=${method}`)).length;
const connections = (): number => scene.sandbox.protocol.stats().connections;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const document = async (bytes: Buffer, name = 'a.bin'): Promise<OutgoingMedia> => ({
  kind: 'document',
  file: await fileOf(bytes, name, 'application/octet-stream'),
});

/** Lets time pass until it is over. */
async function passed<T>(promise: Promise<T>): Promise<T> {
  const seen = watch(promise);
  await until(async () => {
    await scene.live(1_000);
    return seen.settled !== 'no';
  });
  return promise;
}

describe('media', () => {
  it('[MS5.1] arrive as files with their name, in any script, and their type', async () => {
    for (const name of ['report.pdf', 'Übersicht №5 «план».pdf', '年度报告.pdf', 'تقرير 🚂.pdf']) {
      const bytes = noise(1_000, name.length);
      const file = await fileOf(bytes, name, 'application/pdf');
      const id = await sendMedia(bob, { kind: 'document', file }, caption('here'), anyTime);
      const [newest] = await inChat();
      expect(newest).toMatchObject({
        text: 'here',
        media: { kind: 'document', name, mime: 'application/pdf', size: 1_000, sha256: sha256(bytes) },
      });
      expect(id).toBeGreaterThan(0);
    }
  });

  it('[MS4.1] [MS4.2] arrive as a streamable video with its size, duration and thumbnail', async () => {
    const thumbnail = await fileOf(await aJpeg('m'), 'thumb.jpg', 'image/jpeg');
    const file = await fileOf(noise(2_000), 'clip.mp4', 'video/mp4');
    const video = { kind: 'video', file, duration: 12.5, width: 640, height: 360, thumbnail } as const;
    await sendMedia(bob, video, caption('a clip'), anyTime);
    const [newest] = await inChat();
    expect(newest).toMatchObject({
      text: 'a clip',
      media: { kind: 'video', name: 'clip.mp4', duration: 12.5, width: 640, height: 360, streamable: true },
    });
    expect(newest?.media?.['thumbnail']).toMatchObject({ sha256: sha256(await aJpeg('m')) });
  });

  it('[MS5.1] ask Telegram to make of them neither animations nor photos', async () => {
    const clip = await fileOf(noise(300), 'silent.mp4', 'video/mp4');
    const video = { kind: 'video', file: clip, duration: 2, width: 64, height: 64 } as const;
    await sendMedia(bob, video, caption(), anyTime);
    await sendMedia(
      bob,
      { kind: 'document', file: await fileOf(noise(300), 'a.gif', 'image/gif') },
      caption(),
      anyTime,
    );
    const sent = await scene.control<{ params: { media: object } }[]>('GET', '/calls?method=messages.sendMedia');
    expect(sent.slice(-2).map(({ params: { media } }) => media)).toMatchObject([
      { nosound_video: true, attributes: [{ supports_streaming: true }, { file_name: 'silent.mp4' }] },
      { force_file: true, attributes: [{ file_name: 'a.gif' }] },
    ]);
  });

  it('[MS5.1] arrive as music, not as a voice note', async () => {
    const file = await fileOf(noise(3_000), 'song.mp3', 'audio/mpeg');
    const audio = { kind: 'audio', file, duration: 61.4, title: 'A song', performer: 'Somebody' } as const;
    await sendMedia(bob, audio, caption(), anyTime);
    expect((await inChat())[0]).toMatchObject({
      media: { kind: 'audio', duration: 61, title: 'A song', performer: 'Somebody', mime: 'audio/mpeg' },
    });
  });

  it.each([
    [0.2, 1],
    [1e12, 2_147_483_647],
  ])('[MS5.1] music of %d s is told in whole seconds, as far as Telegram counts them', async (duration, told) => {
    const file = await fileOf(noise(3_000), 'song.mp3', 'audio/mpeg');
    await sendMedia(bob, { kind: 'audio', file, duration }, caption(), anyTime);
    expect((await inChat())[0]).toMatchObject({ media: { kind: 'audio', duration: told } });
  });

  it('[MS3.1] [MS5.2] arrive as a photo, a place with a name, a pin, a person', async () => {
    const jpeg = await aJpeg();
    await sendMedia(bob, { kind: 'photo', file: await fileOf(jpeg, 'p.jpg', 'image/jpeg') }, caption(), anyTime);
    expect((await inChat())[0]?.media).toMatchObject({ kind: 'photo', sha256: sha256(jpeg) });
    const place = { latitude: 52.516275, longitude: 13.377704 };
    await sendMedia(bob, { kind: 'venue', ...place, title: 'Gate', address: 'Pariser Platz' }, caption(), anyTime);
    expect((await inChat())[0]?.media).toMatchObject({ kind: 'venue', title: 'Gate', address: 'Pariser Platz' });
    await sendMedia(bob, { kind: 'location', ...place }, caption(), anyTime);
    expect((await inChat())[0]?.media).toMatchObject({ kind: 'location', ...place });
    const person = { phone: '15550009999', firstName: 'Zoe', lastName: '' };
    await sendMedia(bob, { kind: 'contact', ...person }, caption(), anyTime);
    expect((await inChat())[0]?.media).toMatchObject({ kind: 'contact', phone: '15550009999', firstName: 'Zoe' });
  });

  it('[MS5.3] [MS8.1] carry a formatted caption, a reply and silence', async () => {
    const group = await ann.chatById('-1003001', anyTime);
    const first = await ann.sendText(group, caption('first'), anyTime);
    const bold = { entities: [{ type: 'bold', offset: 0, length: 4 }], replyTo: first, silent: true } as const;
    const id = await sendMedia(group, await document(noise(10)), caption('bold one', bold), anyTime);
    expect((await inChat('-1003001', '1001'))[0]).toMatchObject({ id, text: 'bold one', replyTo: first, silent: true });
    expect(JSON.stringify((await inChat('-1003001', '1001'))[0])).toContain('messageEntityBold');
  });

  it('[ER3.1] that Telegram refuses pass its error on', async () => {
    const long = caption('x'.repeat(1_025));
    await expect(sendMedia(bob, await document(noise(10)), long, anyTime)).rejects.toThrow(
      '400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMedia)',
    );
    await expect(sendMedia(bob, await document(Buffer.alloc(0)), caption(), anyTime)).rejects.toThrow(
      '400: FILE_PARTS_INVALID (caused by messages.SendMedia)',
    );
    const missing = {
      kind: 'document',
      file: { path: join(folder.path, 'no'), size: 1, name: 'n', mimetype: 'm' },
    } as const;
    await expect(sendMedia(bob, missing, caption(), anyTime)).rejects.toThrow('ENOENT');
  });
});

describe('an upload', () => {
  it.each([512 * 1024, 512 * 1024 + 1, 10 * 1024 * 1024, 10 * 1024 * 1024 + 1])(
    'of %i bytes arrives byte for byte',
    async (size) => {
      const bytes = noise(size, size);
      await sendMedia(bob, await document(bytes), caption(), anyTime);
      expect((await inChat())[0]?.media).toMatchObject({ size, sha256: sha256(bytes) });
    },
  );

  it('goes on where its connection breaks in the middle', async () => {
    const bytes = noise(12_000_000, 7);
    await scene.control('POST', '/faults', { method: 'upload.saveBigFilePart', delayMs: 20, times: 20 });
    const before = await calls('upload.saveBigFilePart');
    const sending = sendMedia(bob, await document(bytes, 'big.bin'), caption(), anyTime);
    await until(async () => (await calls('upload.saveBigFilePart')) >= before + 8);
    await scene.control('POST', '/network', { action: 'cut' });
    await passed(sending);
    const arrived = (await inChat()).filter(({ media }) => media?.['name'] === 'big.bin');
    expect(arrived.map(({ media }) => media)).toEqual([expect.objectContaining({ sha256: sha256(bytes) })]);
  });

  it('[MS6.1] that is cut off ends at once, sends nothing more, and no message comes of it', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveBigFilePart', delayMs: 50, times: 200 });
    const before = await calls('upload.saveBigFilePart');
    const late = new LightAbort();
    const sending = sendMedia(bob, await document(noise(12_000_000, 8), 'late.bin'), caption(), late);
    const seen = watch(sending);
    await until(async () => (await calls('upload.saveBigFilePart')) >= before + 3);
    late.abort(new Error('send timeout after 240s'));
    await expect(sending).rejects.toThrow('send timeout after 240s');
    expect(seen.settled).toBe('rejected');
    const sent = await calls('upload.saveBigFilePart');
    expect(sent).toBeLessThan(before + 20);
    await scene.control('DELETE', '/faults');
    await scene.live(60_000);
    await until(() => connections() === 1);
    // What had left already is answered; nothing follows it.
    expect(await calls('upload.saveBigFilePart')).toBeLessThanOrEqual(sent + 8);
    expect((await inChat()).some(({ media }) => media?.['name'] === 'late.bin')).toBe(false);
  });

  it('[ER3.2] waits where it is asked to, and shows an operator', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveFilePart', error: 'FLOOD_WAIT_7', code: 420 });
    await passed(sendMedia(bob, await document(noise(10, 3), 'waited.bin'), caption(), anyTime));
    expect((await inChat())[0]?.media?.['name']).toBe('waited.bin');
    expect(scene.log.map((line) => JSON.parse(line) as object)).toContainEqual({
      level: 'info',
      message: 'telegram asked to wait',
      session: 'ann',
      request: 'upload.SaveFilePart',
      seconds: 7,
      waited: true,
    });
  });

  it.each([9, 60])('[ER3.3] a group’s slow mode of %i s is the caller’s error at once', async (seconds) => {
    const group = await ann.chatById('-1003001', anyTime);
    const error = `SLOWMODE_WAIT_${seconds}`;
    await scene.control('POST', '/faults', { method: 'messages.sendMedia', error, code: 420 });
    await expect(sendMedia(group, await document(noise(10, 12)), caption(), anyTime)).rejects.toThrow(
      `420: ${error} (caused by messages.SendMedia)`,
    );
    const line = scene.log.findLast((one) => one.includes('messages.SendMedia')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ seconds, waited: false });
  });

  it.each(['FILE_PART_0_MISSING', 'FILE_PARTS_INVALID'])(
    'is repeated where Telegram has lost a part of it, or all of it: %s',
    async (error) => {
      await scene.control('POST', '/faults', { method: 'messages.sendMedia', error, code: 400 });
      await sendMedia(bob, await document(noise(10, 4), `${error}.bin`), caption(), anyTime);
      expect((await inChat()).filter(({ media }) => media?.['name'] === `${error}.bin`)).toHaveLength(1);
    },
  );

  it('leaves messages alone: a text does not wait for it', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveBigFilePart', delayMs: 500, times: 200 });
    const stop = new LightAbort();
    const sending = watch(sendMedia(bob, await document(noise(12_000_000, 9)), caption(), stop));
    await ann.sendText(bob, caption('quick'), anyTime);
    expect((await inChat())[0]?.text).toBe('quick');
    expect(sending.settled).toBe('no');
    stop.abort(new Error('enough'));
  });
});

describe('an answer that is lost', () => {
  const everyKind: [string, () => Promise<OutgoingMedia>, string][] = [
    ['a document', () => document(noise(1_000, 21), 'lost.bin'), 'for you'],
    ['a photo', async () => ({ kind: 'photo', file: await fileOf(await aJpeg(), 'l.jpg', 'image/jpeg') }), ''],
    ['a location', async () => ({ kind: 'location', latitude: 1.234567, longitude: -7.654321 }), ''],
    ['a venue', async () => ({ kind: 'venue', latitude: 1.5, longitude: 2.5, title: 'V', address: '' }), ''],
    ['a contact', async () => ({ kind: 'contact', phone: '+1 555 000 7777', firstName: 'L', lastName: '' }), ''],
  ];

  it.each(everyKind)('[MS7.3] does not make %s two', async (_, make, text) => {
    const before = (await inChat('1002', '1001')).length;
    for (const isUnderWay of [false, true]) {
      await scene.control('POST', '/faults', { method: 'messages.sendMedia', dropAnswer: true });
      const error = { method: 'messages.sendMedia', error: 'RANDOM_ID_DUPLICATE', code: 500 };
      if (isUnderWay) await scene.control('POST', '/faults', error);
      const id = await passed(sendMedia(bob, await make(), caption(text), anyTime));
      const after = await inChat('1002', '1001');
      expect(after).toHaveLength(Math.min(100, before + (isUnderWay ? 2 : 1)));
      expect(after[0]?.id).toBe(id);
    }
  });

  it.each(everyKind)('[MS7.3] is found again after a restart: %s', async (_, make, text) => {
    const message = caption(text);
    const id = await sendMedia(bob, await make(), message, anyTime);
    await sendMedia(bob, await document(noise(99, 5), 'other.bin'), caption(text), anyTime);
    await scene.restart();
    link = scene.link('ann');
    link.connect(1);
    await link.next('ConnectionRestored');
    ann = link.account();
    expect(await sendMedia(bob, await make(), message, anyTime)).toBe(id);
  });
});

it.each([
  ['typing', 'sendMessageTypingAction'],
  ['recording-audio', 'sendMessageRecordAudioAction'],
  ['cancel', 'sendMessageCancelAction'],
] as const)('[TY1.1] shows %s', async (action, shown) => {
  await ann.showTyping(bob, action, undefined, anyTime);
  const actions = await scene.control<object[]>('GET', '/accounts/1002/typing?peer=1001');
  expect(JSON.stringify(actions.at(-1))).toContain(shown);
});
