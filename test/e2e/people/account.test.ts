import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { UserRow } from '../../../sandbox/world/state/rows.ts';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann } from '../../support/e2e/scene.ts';
import { uploadTo } from '../../support/e2e/uploading.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** What the account says about itself, and its logins. */

const files = useFiles();
const on = useWriting(reachable);
const ask = <T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer<T>> =>
  on.scene.request(on.caller, method, path, body);
const row = (): UserRow => {
  const own = on.scene.telegram.world.tables.users.get(1001);
  if (own === undefined) throw new Error('no Ann');
  return own;
};
const ownProfile = {
  id: ann,
  name: 'Ann Lee',
  username: 'annlee',
  phone: '15550000001',
  picture: expect.stringMatching(/\/1001\/\d+\/profile\//),
  about: expect.any(String),
  isPremium: true,
};

describe('the account', () => {
  it('[PE2.1] as it shows itself', async () => {
    expect(await ask('GET', '/account')).toMatchObject({ status: 200, body: ownProfile });
  });

  it('[PE2.1] [PE2.2] changes name, text and username; what is left out stays', async () => {
    const changed = await ask('PATCH', '/account', { name: 'Anna  Lee Smith', about: 'Away', username: '@anna_lee' });
    const expected = { ...ownProfile, name: 'Anna Lee Smith', about: 'Away', username: 'anna_lee' };
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect(row()).toMatchObject({ firstName: 'Anna', lastName: 'Lee Smith', about: 'Away', username: 'anna_lee' });
    // The session shows it too.
    const account = { name: 'Anna Lee Smith', username: 'anna_lee' };
    const shown = await on.scene.read(on.caller, (session) => JSON.stringify(session).includes('anna_lee'));
    expect(JSON.stringify(shown)).toContain(account.name);

    expect((await ask('PATCH', '/account', { about: '' })).body).toMatchObject({ name: 'Anna Lee Smith', about: '' });
    expect(row().about ?? '').toBe('');
    // As it is already.
    expect(await ask('PATCH', '/account', { username: 'anna_lee', name: ' ' })).toMatchObject({ status: 200 });
    expect((await ask('PATCH', '/account', { username: '' })).body).toMatchObject({ username: '' });
    expect(row().username).toBeUndefined();
    await ask('PATCH', '/account', { name: 'Ann Lee', username: 'annlee' });
    expect(row()).toMatchObject({ firstName: 'Ann', lastName: 'Lee' });
  });

  it('[PE2.1] [PE2.2] takes a picture, which the link and the session show', async () => {
    const red = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const before = row().photo;
    const { status, body } = await ask<{ picture: string }>('PATCH', '/account', {
      picture: { url: files.serve(red) },
    });
    expect(status).toBe(200);
    expect(row().photo).not.toBe(before);
    const photo = await fetch(body.picture);
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { data } = await sharp(Buffer.from(await photo.arrayBuffer()))
      .extract({ left: 20, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([data[0], data[1]].map((value) => (value ?? 0) > 128)).toEqual([true, false]);
  });

  it.each(['data', 'file'])('[PE2.1] takes a picture without a URL: %s', async (source) => {
    const image = { width: 300, height: 200, channels: 3, background: '#0f0' } as const;
    const png = await sharp({ create: image }).png().toBuffer();
    const given = source === 'data' ? png.toString('base64') : (await uploadTo(on.scene, on.caller, png)).body.id;
    const before = row().photo;
    expect(await ask('PATCH', '/account', { picture: { [source]: given } })).toMatchObject({ status: 200 });
    expect(row().photo).not.toBe(before);
  });

  it.each<[object, number, string]>([
    [{ picture: { file: '01a1fda8-aa9c-73c0-a9f9-5b8950b3bf8c' } }, 400, 'file not found'],
    [{ picture: { data: '@' } }, 400, 'picture.data must be base64'],
    [{ picture: { url: 'https://a.example/b', data: 'aaaa' } }, 400, 'picture must have only one of url, data, file'],
    [{ username: 'bobstone' }, 500, '400: USERNAME_OCCUPIED (caused by account.UpdateUsername)'],
    [{ about: 'x'.repeat(200) }, 500, '400: ABOUT_TOO_LONG (caused by account.UpdateProfile)'],
    [{ name: 5 }, 400, 'name must be a string'],
    [{ picture: {} }, 400, 'picture.url should not be empty'],
    [{ picture: { url: 'file:///etc/passwd' } }, 400, 'picture.url must be an http or https url'],
  ])('[PE2.1] refuses %j', async (body, status, message) => {
    expect(await ask('PATCH', '/account', body)).toMatchObject(refused(status, message));
  });

  it('[PE2.1] refuses what is no picture', async () => {
    const { status, body } = await ask('PATCH', '/account', {
      picture: { url: files.serve(Buffer.from('no picture')) },
    });
    expect([status, String(body['message'])]).toEqual([500, expect.stringMatching(/^error compress image: /)]);
  });
});

describe('its devices', () => {
  interface Devices {
    docs: { id: string; isCurrent: boolean; model: string; created: string }[];
  }
  const devices = async (): Promise<Devices['docs']> => (await ask<Devices>('GET', '/account/devices')).body.docs;

  it('[PE2.3] are listed, and logged out', async () => {
    const other = await on.scene.connected();
    const listed = await devices();
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect(listed[0]).toMatchObject({ id: '0', created: expect.stringMatching(/^\d{4}-.*Z$/) });
    const id = listed[1]?.id ?? '';
    const fresh = '406: FRESH_RESET_AUTHORISATION_FORBIDDEN (caused by account.ResetAuthorization)';
    expect(await ask('DELETE', `/account/devices/${id}`)).toMatchObject(refused(500, fresh));
    await on.scene.sandbox.call('POST', '/clock', { advanceMs: 86_400_000 });
    const remove = (device: string): Promise<Answer> =>
      on.scene.whilePassing(ask('DELETE', `/account/devices/${device}`));
    expect(await remove('12345')).toMatchObject(
      refused(500, '400: HASH_INVALID (caused by account.ResetAuthorization)'),
    );
    expect(await remove(id)).toMatchObject({ status: 200, body: { id: on.caller.id } });
    expect(await devices()).toHaveLength(1);
    await on.scene.whilePassing(on.scene.read(other, ({ isConnected }) => !isConnected));
  });

  it.each([
    ['0', 'id must be that of another device'],
    ['00', 'id must be that of another device'],
    ['mine', 'id must be a number'],
  ])('[PE2.3] %s is none of them', async (id, message) => {
    expect(await ask('DELETE', `/account/devices/${id}`)).toMatchObject(refused(400, message));
  });
});
