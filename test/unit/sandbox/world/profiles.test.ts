import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
let cara: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = await fixture.logIn(1001);
  cara = await fixture.logIn(1003);
  fixture.pushed.length = 0;
});

const rejected = (text: string) => ({ code: 400, text });
const self = { _: 'inputUserSelf' };
const user = (viewer: number, id: number, kind = 'inputUser'): TlObject => ({
  _: kind,
  user_id: BigInt(id),
  access_hash: accessHash(fixture.world, viewer, 'user', id),
});
const idsOf = (list: TlObject[]) => list.map(({ id }) => id);
/** The kinds of updates that a key was pushed. */
const pushedTo = (key: AuthKey): string[] =>
  fixture.pushed.flatMap(({ keyIds, updates }) =>
    keyIds.includes(key.id) ? (updates.updates ?? []).map((update: TlObject) => update._) : [],
  );

// https://core.telegram.org/method/users.getFullUser
describe('users.getFullUser', () => {
  const full = async (key: AuthKey, id: TlObject) => (await fixture.call(key, 'users.getFullUser', { id })).full_user;

  it('answers for oneself, contacts, strangers, bots and deleted accounts', async () => {
    expect(await full(ann, self)).toMatchObject({
      about: 'Makes things.',
      profile_photo: { _: 'photo' },
      common_chats_count: 0,
      phone_calls_available: false,
      blocked: false,
      settings: { _: 'peerSettings' },
    });
    expect(await full(ann, user(1001, 1002))).toMatchObject({ phone_calls_available: true, common_chats_count: 5 });
    expect(await full(ann, user(1001, 1003))).toMatchObject({
      settings: { report_spam: true, add_contact: true, block_contact: true },
    });
    const bot = await full(ann, user(1001, 1004));
    expect(bot).toMatchObject({ phone_calls_available: false, bot_info: { description: 'A bot that listens.' } });
    expect(await full(ann, user(1001, 1005))).toMatchObject({ about: undefined, profile_photo: undefined });
    await expect(full(ann, user(1003, 1002))).rejects.toMatchObject(rejected('USER_ID_INVALID'));
  });

  it('users.getUsers has an entry for each user, known or not', async () => {
    const id = [self, user(1001, 1002), user(1003, 1002), user(1001, 99), { _: 'inputUserEmpty' }];
    const users = (await fixture.call(ann, 'users.getUsers', { id })) as unknown as TlObject[];
    expect(users.map(({ _, id: userId }) => [_, userId])).toEqual([
      ['user', 1001n],
      ['user', 1002n],
      ['userEmpty', 1002n],
      ['userEmpty', 99n],
      ['userEmpty', 0n],
    ]);
  });
});

// https://core.telegram.org/method/account.updateProfile
describe('account.updateProfile', () => {
  const update = (fields: Record<string, unknown>) => fixture.call(ann, 'account.updateProfile', fields);

  it('changes what is given, and tells the devices of those who know the account', async () => {
    expect(await update({ first_name: ' Anna ' })).toMatchObject({ first_name: 'Anna', last_name: 'Lee', self: true });
    expect(pushedTo(cara)).toEqual(['updateUserName']);
    expect(pushedTo(ann)).toEqual(['updateUserName']);
    expect(await update({ last_name: '', about: 'x'.repeat(140) })).toMatchObject({ last_name: undefined });
    const { full_user: full } = await fixture.call(cara, 'users.getFullUser', { id: user(1003, 1001) });
    expect(full.about).toHaveLength(140);
  });

  it('refuses what is empty or too long', async () => {
    await expect(update({ first_name: ' ' })).rejects.toMatchObject(rejected('FIRSTNAME_INVALID'));
    await expect(update({ first_name: 'x'.repeat(65) })).rejects.toMatchObject(rejected('FIRSTNAME_INVALID'));
    await expect(update({ last_name: 'x'.repeat(65) })).rejects.toMatchObject(rejected('LASTNAME_INVALID'));
    await expect(update({ about: 'x'.repeat(141) })).rejects.toMatchObject(rejected('ABOUT_TOO_LONG'));
    const freeAccount = fixture.call(cara, 'account.updateProfile', { about: 'x'.repeat(71) });
    await expect(freeAccount).rejects.toMatchObject(rejected('ABOUT_TOO_LONG'));
  });
});

// https://core.telegram.org/method/account.updateUsername, account.checkUsername
describe('a username', () => {
  const check = (username: string) => fixture.call(ann, 'account.checkUsername', { username });
  const update = (username: string) => fixture.call(ann, 'account.updateUsername', { username });

  it('may be chosen if it can exist and nobody has it', async () => {
    for (const name of ['anna', '1anna', 'ann-lee', 'anna__lee', 'annalee_', 'x'.repeat(33), '']) {
      await expect(check(name)).rejects.toMatchObject(rejected('USERNAME_INVALID'));
    }
    for (const name of ['bobstone', 'MAKERS', 'helperbot']) {
      await expect(check(name)).rejects.toMatchObject(rejected('USERNAME_OCCUPIED'));
      await expect(update(name)).rejects.toMatchObject(rejected('USERNAME_OCCUPIED'));
    }
    expect(await check('annalee')).toBe(true);
    await expect(update('annlee')).rejects.toMatchObject(rejected('USERNAME_NOT_MODIFIED'));
    expect(await update('annalee')).toMatchObject({ username: 'annalee' });
    expect(pushedTo(cara)).toEqual(['updateUserName']);
    expect((await update('')).username).toBeUndefined();
    await expect(update('')).rejects.toMatchObject(rejected('USERNAME_NOT_MODIFIED'));
    const { peer } = await fixture.call(cara, 'contacts.resolveUsername', { username: 'ann' });
    expect(peer).toEqual({ _: 'peerUser', user_id: 1001n });
  });
});

// https://core.telegram.org/method/photos.uploadProfilePhoto, photos.updateProfilePhoto, photos.deletePhotos
describe('profile photos', () => {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#456' } })
      .png()
      .toBuffer();
  const upload = async (bytes: Buffer) => {
    await fixture.call(ann, 'upload.saveFilePart', { file_id: 7n, file_part: 0, bytes });
    const file = { _: 'inputFile', id: 7n, parts: 1, name: 'me.png', md5_checksum: '' };
    return fixture.call(ann, 'photos.uploadProfilePhoto', { file });
  };
  const list = (more: object = {}) =>
    fixture.call(cara, 'photos.getUserPhotos', {
      user_id: user(1003, 1001),
      offset: 0,
      max_id: 0n,
      limit: 10,
      ...more,
    });
  const input = ({ id, access_hash }: TlObject) => ({
    _: 'inputPhoto',
    id,
    access_hash,
    file_reference: Buffer.alloc(0),
  });

  it('are kept, the latest first, and can be shown again and deleted', async () => {
    const [seeded] = (await list()).photos;
    const { photo, users } = await upload(await picture(640, 400));
    expect(photo.sizes.map(({ w, h }: TlObject) => [w, h])).toContainEqual([640, 640]);
    expect(users[0].photo).toMatchObject({ _: 'userProfilePhoto', photo_id: photo.id });
    expect(pushedTo(cara)).toEqual(['updateUser']);
    expect(idsOf((await list()).photos)).toEqual([photo.id, seeded.id]);
    expect(await list({ limit: 1 })).toMatchObject({ _: 'photos.photosSlice', count: 2, photos: [{ id: photo.id }] });
    expect(idsOf((await list({ max_id: photo.id })).photos)).toEqual(photo.id > seeded.id ? [seeded.id] : []);
    const own = (await fixture.call(ann, 'photos.getUserPhotos', { user_id: self, offset: 0, max_id: 0n, limit: 9 }))
      .photos as TlObject[];
    const older = own[1] as TlObject;
    await fixture.call(ann, 'photos.updateProfilePhoto', { id: input(older) });
    expect(idsOf((await list()).photos)).toEqual([seeded.id, photo.id]);
    const deleted = await fixture.call(ann, 'photos.deletePhotos', { id: [input(older), { ...input(older), id: 5n }] });
    expect(deleted).toEqual([seeded.id]);
    expect(idsOf((await list()).photos)).toEqual([photo.id]);
    const none = await fixture.call(ann, 'photos.updateProfilePhoto', { id: { _: 'inputPhotoEmpty' } });
    expect(none.users[0].photo).toEqual({ _: 'userProfilePhotoEmpty' });
    expect((await list()).photos).toEqual([]);
  });

  it('are refused if they are missing, no picture, too small, or of somebody else', async () => {
    await expect(upload(Buffer.from('no picture'))).rejects.toMatchObject(rejected('IMAGE_PROCESS_FAILED'));
    await expect(upload(await picture(100, 400))).rejects.toMatchObject(rejected('PHOTO_CROP_SIZE_SMALL'));
    const missing = fixture.call(ann, 'photos.uploadProfilePhoto', {});
    await expect(missing).rejects.toMatchObject(rejected('PHOTO_FILE_MISSING'));
    const [foreign] = (await list()).photos as [TlObject];
    const taking = fixture.call(cara, 'photos.updateProfilePhoto', { id: input(foreign) });
    await expect(taking).rejects.toMatchObject(rejected('PHOTO_ID_INVALID'));
  });
});

// https://core.telegram.org/api/block
describe('blocking', () => {
  const set = (method: string, id: number, more: object = {}) =>
    fixture.call(ann, `contacts.${method}`, { id: user(1001, id, 'inputPeerUser'), ...more });
  const list = (more: object = {}) => fixture.call(ann, 'contacts.getBlocked', { offset: 0, limit: 10, ...more });
  const named = ({ blocked }: TlObject) => blocked.map(({ peer_id }: TlObject) => peer_id.user_id);

  it('lists who is blocked, the latest first, and tells the other devices', async () => {
    await set('block', 1002);
    fixture.clock.time += 5_000;
    await set('block', 1003);
    const both = await list();
    expect([both._, named(both), idsOf(both.users)]).toEqual(['contacts.blocked', [1003n, 1002n], [1003n, 1002n]]);
    expect(both.blocked[0].date - both.blocked[1].date).toBe(5);
    expect(await list({ offset: 1, limit: 1 })).toMatchObject({ _: 'contacts.blockedSlice', count: 2 });
    expect(pushedTo(ann)).toEqual(['updatePeerBlocked', 'updatePeerBlocked']);
    await set('unblock', 1003);
    expect(named(await list())).toEqual([1002n]);
    const { full_user: full } = await fixture.call(ann, 'users.getFullUser', { id: user(1001, 1002) });
    expect(full.blocked).toBe(true);
  });

  it('of stories is a list of its own', async () => {
    await set('block', 1002, { my_stories_from: true });
    expect(named(await list())).toEqual([]);
    expect(named(await list({ my_stories_from: true }))).toEqual([1002n]);
  });

  it('is refused for oneself and for unknown users', async () => {
    await expect(set('block', 1001)).rejects.toMatchObject(rejected('CONTACT_ID_INVALID'));
    await expect(set('block', 99)).rejects.toMatchObject(rejected('PEER_ID_INVALID'));
  });
});
