import encodeQr from 'qr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { issueToken } from '../../../../sandbox/world/logins/login-tokens.ts';
import { refused, useSandbox } from '../../../support/sandbox/control-client.ts';

const clock = {
  time: Date.UTC(2026, 5, 1),
  now() {
    return this.time;
  },
};

const on = useSandbox({ clock });
const { get, post, put, patch } = on;

describe('GET /connection', () => {
  it('returns all that a client needs', async () => {
    const { body } = await get('/connection');
    expect(body).toMatchObject({ apiId: expect.any(Number), apiHash: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(body.publicKey).toContain('BEGIN RSA PUBLIC KEY');
    expect(body.dcs.map(({ id, host }: { id: number; host: string }) => [id, host])).toEqual(
      [1, 2, 3, 4, 5].map((id) => [id, '127.0.0.1']),
    );
  });
});

describe('accounts', () => {
  it('are the seeded ones and those that were added', async () => {
    const { body: seeded } = await get('/accounts');
    expect(seeded.map(({ userId }: { userId: string }) => userId)).toEqual(['1001', '1002', '1003', '1004', '1005']);
    expect(seeded[1]).toEqual({
      userId: '1002',
      name: 'Bob Stone',
      username: 'bobstone',
      phone: '15550000002',
      dc: 4,
      hasPassword: true,
    });
    const eve = { firstName: 'Eve', username: 'eve_adds', phone: '+1 555 123', password: 'x', hint: 'y', dc: 5 };
    const { body: added } = await post('/accounts', eve);
    expect(added).toMatchObject({ name: 'Eve', username: 'eve_adds', phone: '1555123', dc: 5, hasPassword: true });
    expect((await get('/accounts')).body).toContainEqual(added);
  });

  it('are refused if a value is invalid or taken', async () => {
    expect(await post('/accounts', { firstName: 'Eve', username: 'ANN' })).toEqual(refused(400, 'username is taken'));
    expect(await post('/accounts', { firstName: 'Eve', phone: '15550000001' })).toEqual(refused(400, 'phone is taken'));
    expect((await post('/accounts', { firstName: 'Eve', dc: 6 })).status).toBe(400);
    expect((await post('/accounts', {})).status).toBe(400);
  });

  it('can get a password and lose it', async () => {
    const path = '/accounts/1001/password';
    expect((await put(path, { password: 'p', hint: 'h' })).body.hasPassword).toBe(true);
    expect((await put(path, { password: '' })).body.hasPassword).toBe(false);
    expect(await put('/accounts/9/password', { password: 'p' })).toEqual(refused(404, 'account not found'));
  });
});

describe('PATCH', () => {
  it('changes accounts', async () => {
    const { photo } = on.sandbox.world.tables.users.get(1001) ?? {};
    expect((await patch('/accounts/1001', { lastName: '', photo: true, blocked: ['1002'] })).status).toBe(200);
    expect(on.sandbox.world.tables.users.get(1001)).toMatchObject({ firstName: 'Ann', blocked: [1002] });
    expect(on.sandbox.world.tables.users.get(1001)).not.toHaveProperty('lastName');
    expect(on.sandbox.world.tables.users.get(1001)?.photo).not.toBe(photo);
    await patch('/accounts/1001', { photo: false });
    expect(on.sandbox.world.tables.users.get(1001)).not.toHaveProperty('photo');
    expect(await patch('/accounts/1001', { blocked: [77] })).toEqual(refused(404, 'account not found'));
  });

  it('changes chats and their members', async () => {
    expect((await patch('/chats/@daily', { about: 'Now weekly', username: '' })).status).toBe(200);
    expect(on.sandbox.world.tables.chats.get('channel:4001')).toMatchObject({ title: 'Daily', about: 'Now weekly' });
    expect(on.sandbox.world.tables.chats.get('channel:4001')).not.toHaveProperty('username');
    await put('/chats/-1004001/members/1001', { role: 'left' });
    await put('/chats/-1004001/members/1002', { role: 'admin' });
    expect(on.sandbox.world.tables.chats.get('channel:4001')?.members).toEqual({
      1002: { date: expect.any(Number), role: 'admin' },
      1003: { date: expect.any(Number) },
    });
    expect(await patch('/chats/1001', { about: 'x' })).toEqual(refused(400, 'not a group or channel'));
  });
});

describe('POST /qr/scan', () => {
  const link = () => {
    const { token } = issueToken(on.sandbox.world, '00000000000000ff', []);
    return `tg://login?token=${Buffer.from(token, 'hex').toString('base64url')}`;
  };
  const picture = async (text: string) =>
    (
      await sharp(Buffer.from(encodeQr(text, 'svg')))
        .resize(300)
        .png()
        .toBuffer()
    ).toString('base64');

  it('accepts a link, or a picture of its QR code', async () => {
    expect(await post('/qr/scan', { link: link(), userId: '1001' })).toMatchObject({ status: 200 });
    expect(await post('/qr/scan', { link: link(), userId: 1001 })).toMatchObject({ status: 200 });
    const qrcode = await picture(link());
    expect(await post('/qr/scan', { qrcode, userId: '1001' })).toMatchObject({ status: 200 });
    expect(
      await post('/qr/scan', { qrcode: `data:image/png;base64,${await picture(link())}`, userId: '1001' }),
    ).toMatchObject({ status: 200 });
  });

  it('names the problem with a token', async () => {
    const used = link();
    await post('/qr/scan', { link: used, userId: '1001' });
    expect(await post('/qr/scan', { link: used, userId: '1003' })).toEqual(
      refused(400, 'the login token has been used already'),
    );
    const late = link();
    clock.time += 30_000;
    expect(await post('/qr/scan', { link: late, userId: '1001' })).toEqual(refused(400, 'the login token has expired'));
    const unknown = 'tg://login?token=AAAA';
    expect(await post('/qr/scan', { link: unknown, userId: '1001' })).toEqual(
      refused(400, 'the login token is unknown'),
    );
    expect((await post('/qr/scan', { link: 'https://example.com', userId: '1001' })).status).toBe(400);
    expect(await post('/qr/scan', { qrcode: 'AAAA', userId: '1001' })).toEqual(
      refused(400, 'no QR code could be read in the image'),
    );
    expect(await post('/qr/scan', { userId: '1001' })).toEqual(refused(400, 'link or qrcode should not be empty'));
    expect(await post('/qr/scan', { link: link(), userId: '1004' })).toEqual(
      refused(400, 'bots and deleted accounts cannot scan QR codes'),
    );
  });
});

describe('the control server', () => {
  it('gives all errors the same shape', async () => {
    expect(await get('/nowhere')).toEqual(refused(404, 'not found'));
    const raw = (body: string, type: string) =>
      fetch(`${on.sandbox.url}/accounts`, { method: 'POST', headers: { 'content-type': type }, body });
    for (const [body, type, status] of [
      ['{', 'application/json', 400],
      ['{}', 'text/plain', 415],
    ] as const) {
      const answer = await raw(body, type);
      expect(await answer.json()).toEqual({ statusCode: status, message: expect.any(String) });
    }
  });

  it('refuses other hosts and origins', async () => {
    const { request } = await import('node:http');
    const status = (headers: Record<string, string>) =>
      new Promise((resolve) =>
        request(`${on.sandbox.url}/accounts`, { headers }, (answer) => resolve(answer.statusCode)).end(),
      );
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'localhost:4400' })).toBe(200);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
  });

  it('allows pages of this machine (CORS)', async () => {
    const origin = 'http://localhost:3000';
    const asked = await fetch(`${on.sandbox.url}/qr/scan`, { method: 'OPTIONS', headers: { origin } });
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'content-type',
      vary: 'origin',
    });
    const answer = await fetch(`${on.sandbox.url}/accounts`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const stranger = await fetch(`${on.sandbox.url}/accounts`, { headers: { origin: 'http://evil.example' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('serves the files of the phone page', async () => {
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/phone.css', 'text/css'],
      ['/controls.css', 'text/css'],
      ['/chat.css', 'text/css'],
      ['/account.js', 'text/javascript'],
      ['/devices.js', 'text/javascript'],
      ['/media.js', 'text/javascript'],
      ['/phone.js', 'text/javascript'],
    ] as const) {
      const answer = await fetch(on.sandbox.url + path);
      expect(answer.headers.get('content-type')).toContain(type);
      expect((await answer.text()).length).toBeGreaterThan(500);
    }
  });
});
