import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { addProfilePhoto } from '../../../sandbox/world/files/add-file.ts';
import type { Group } from '../../../src/chats/groups.ts';
import { useReading } from '../../support/e2e/reading-scene.ts';
import {
  family,
  listGroups,
  makers,
  groupPath as path,
  untilListsAreAskedForAgain,
} from '../../support/e2e/seeded-groups.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** Descriptions and photos of `GET /group`: asked for once, and again in time. */

const reading = useReading();
const { callsDuring, change, fault, get } = reading;
const listed = (): Promise<Group[]> => listGroups(reading);
const pause = (): Promise<void> => untilListsAreAskedForAgain(reading);

describe('GET /group', () => {
  it('[GR2.1] the picture is the small photo', async () => {
    for (const { id, picture } of await listed()) {
      if (picture === '') continue;
      const { format, width, height } = await sharp(Buffer.from(picture.split(',')[1] ?? '', 'base64')).metadata();
      expect([id, format, width, height]).toEqual([id, 'jpeg', 160, 160]);
    }
  });

  it('[GR2.1] a second call asks Telegram for no description and no photo, and soon not for the list either', async () => {
    const before = await listed();
    for (const method of ['messages.getFullChat', 'channels.getFullChannel', 'upload.getFile', 'messages.getDialogs']) {
      expect([method, await callsDuring(method, listed)]).toEqual([method, 0]);
    }
    await pause();
    expect(await callsDuring('messages.getDialogs', listed)).toBe(2);
    expect(await callsDuring('channels.getFullChannel', listed)).toBe(0);
    expect(await listed()).toEqual(before);
  });

  it('[GR2.1] a description is kept for 5 minutes, and asked for once by all who want it', async () => {
    const { scene } = reading;
    await scene.pass(5 * 60_000 + 1);
    await listed();
    change('channel:3001', () => ({ about: 'Changed' }));
    await scene.pass(5 * 60_000 - 20_000);
    expect((await listed()).find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
    await scene.pass(20_001);
    const asked = await callsDuring('channels.getFullChannel', async () => {
      const answers = await Promise.all([listed(), listed(), get<Group>(path('makers'))]);
      expect(answers[0].find(({ id }) => id === '-1003001')?.description).toBe('Changed');
      expect(answers[2].body.description).toBe('Changed');
    });
    expect(asked).toBe(4);
    change('channel:3001', () => ({ about: makers.description }));
    await scene.pass(5 * 60_000 + 1);
  });

  it('[GR2.1] a new photo is fetched once, the others are not fetched again', async () => {
    const before = await listed();
    const { world } = reading.scene.telegram;
    change('channel:3001', () => ({ photo: addProfilePhoto(world, 2, 77, 1_770_000_000).id }));
    await pause();
    expect(await callsDuring('upload.getFile', listed)).toBe(1);
    const after = await listed();
    expect(after.filter((group, place) => group.picture !== before[place]?.picture).map(({ id }) => id)).toEqual([
      '-1003001',
    ]);
    change('channel:3001', () => ({ photo: addProfilePhoto(world, 4, 78, 1_770_000_000).id }));
    await pause();
    const elsewhere = (await listed()).find(({ id }) => id === '-1003001')?.picture;
    expect(elsewhere).toMatch(/^data:image\/jpeg;base64,/);
    expect(elsewhere).not.toBe(after.find(({ id }) => id === '-1003001')?.picture);
  });

  it('[GR2.2] one group’s description that Telegram refuses is left empty, and asked for again', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'messages.getFullChat', error: 'CHAT_NOT_MODIFIED', code: 400, times: 1 });
    const first = await listed();
    expect(first.find(({ id }) => id === '-2001')).toEqual({ ...family, description: '' });
    expect(first.find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
    expect((await listed()).find(({ id }) => id === '-2001')).toEqual(family);
  });

  it('[GR2.2] a description that Telegram refuses to say again stays as it was', async () => {
    await reading.scene.pass(5 * 60_000 + 1);
    await fault({ method: 'messages.getFullChat', error: 'CHAT_NOT_MODIFIED', code: 400, times: 1 });
    change('chat:2001', () => ({ about: 'The four of us' }));
    expect((await listed()).find(({ id }) => id === '-2001')).toEqual(family);
    await reading.scene.pass(30_001);
    expect((await listed()).find(({ id }) => id === '-2001')?.description).toBe('The four of us');
    change('chat:2001', () => ({ about: family.description }));
  });

  it('[ME5.1] a photo that has moved to another data centre is fetched from there', async () => {
    const pictureOf = async (): Promise<unknown> => (await listed()).find(({ id }) => id === '-1003001')?.picture;
    const before = await pictureOf();
    const { world } = reading.scene.telegram;
    change('channel:3001', () => ({ photo: addProfilePhoto(world, 2, 79, 1_770_000_000).id }));
    await pause();
    await fault({ method: 'upload.getFile', error: 'FILE_MIGRATE_4', code: 303, times: 1 });
    const after = await pictureOf();
    expect(after).toMatch(/^data:image\/jpeg;base64,/);
    expect(after).not.toBe(before);
  });

  it('[GR2.2] a photo that cannot be had is left empty, and asked for again', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'upload.getFile', error: 'LOCATION_INVALID', code: 400, times: 1 });
    const pictures = (await listed()).map(({ picture }) => picture).filter(Boolean);
    expect(pictures).toHaveLength(1);
    expect((await listed()).map(({ picture }) => picture).filter(Boolean)).toHaveLength(2);
  });

  it('[ER3.2] a wait under a minute is waited out', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'channels.getFullChannel', error: 'FLOOD_WAIT_20', code: 420, times: 1 });
    const groups = await reading.scene.whilePassing(listed());
    expect(groups.find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
  });

  it('[GR2.3] after a longer wait was asked for, descriptions are not asked for until it is over', async () => {
    const { scene } = reading;
    await scene.restart();
    await scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'channels.getFullChannel', error: 'FLOOD_WAIT_100', code: 420, times: 4 });
    // A basic group's is another request.
    expect((await listed()).map(({ description }) => description).filter(Boolean)).toEqual([family.description]);
    await reading.scene.sandbox.call('DELETE', '/faults');
    expect(await callsDuring('channels.getFullChannel', listed)).toBe(0);
    const refusal = await get(path('makers'));
    expect(refusal).toMatchObject(
      refused(500, 'A wait of 100 seconds is required (caused by channels.GetFullChannel)'),
    );
    expect(refusal.headers.get('retry-after')).toBe('100');
    await scene.pass(100_000);
    expect((await listed()).find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
  });
});
