import encodeQr from 'qr';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { issueToken } from '../../sandbox/world/login-tokens.ts';
import { mediaKinds } from '../../sandbox/world/sample-media.ts';
import { mtcuteClient } from '../support/telegram-clients/mtcute.ts';
import { control, openSandbox } from './phone-of.ts';

let sandbox: Sandbox;
const clock = {
  time: Date.UTC(2026, 5, 1),
  now() {
    return this.time;
  },
};

beforeAll(async () => {
  ({ sandbox } = await openSandbox({ clock }));
});
beforeEach(async () => {
  await control(sandbox, 'POST', '/reset');
});
afterAll(() => sandbox.close());

const get = (path: string) => control(sandbox, 'GET', path);
const post = (path: string, body?: unknown) => control(sandbox, 'POST', path, body);
const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });

describe('GET /connection', () => {
  it('says all that a client needs', async () => {
    const { body } = await get('/connection');
    expect(body).toMatchObject({ apiId: expect.any(Number), apiHash: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(body.publicKey).toContain('BEGIN RSA PUBLIC KEY');
    expect(body.dcs.map(({ id, host }: { id: number; host: string }) => [id, host])).toEqual(
      [1, 2, 3, 4, 5].map((id) => [id, '127.0.0.1']),
    );
  });
});

describe('accounts', () => {
  it('are the seeded ones, and those that are added', async () => {
    const { body: seeded } = await get('/accounts');
    expect(seeded.map(({ userId }: { userId: string }) => userId)).toEqual(['1001', '1002', '1003', '1004', '1005']);
    expect(seeded[1]).toEqual({
      userId: '1002',
      name: 'Bob Stone',
      username: 'bob',
      phone: '15550000002',
      dc: 4,
      hasPassword: true,
    });
    const eve = { firstName: 'Eve', username: 'eve_adds', phone: '+1 555 123', password: 'x', hint: 'y', dc: 5 };
    const { body: added } = await post('/accounts', eve);
    expect(added).toMatchObject({ name: 'Eve', username: 'eve_adds', phone: '1555123', dc: 5, hasPassword: true });
    expect((await get('/accounts')).body).toContainEqual(added);
  });

  it('are refused where they cannot be', async () => {
    expect(await post('/accounts', { firstName: 'Eve', username: 'ANN' })).toEqual(refused(400, 'username is taken'));
    expect(await post('/accounts', { firstName: 'Eve', phone: '15550000001' })).toEqual(refused(400, 'phone is taken'));
    expect((await post('/accounts', { firstName: 'Eve', dc: 6 })).status).toBe(400);
    expect((await post('/accounts', {})).status).toBe(400);
  });

  it('get and lose a password', async () => {
    const path = '/accounts/1001/password';
    expect((await control(sandbox, 'PUT', path, { password: 'p', hint: 'h' })).body.hasPassword).toBe(true);
    expect((await control(sandbox, 'PUT', path, { password: '' })).body.hasPassword).toBe(false);
    expect(await control(sandbox, 'PUT', '/accounts/9/password', { password: 'p' })).toEqual(
      refused(404, 'account not found'),
    );
  });
});

describe('PATCH', () => {
  const patch = (path: string, body: unknown) => control(sandbox, 'PATCH', path, body);

  it('changes people', async () => {
    const { photo } = sandbox.world.users.get(1001) ?? {};
    expect((await patch('/accounts/1001', { lastName: '', photo: true, blocked: ['1002'] })).status).toBe(200);
    expect(sandbox.world.users.get(1001)).toMatchObject({ firstName: 'Ann', blocked: [1002] });
    expect(sandbox.world.users.get(1001)).not.toHaveProperty('lastName');
    expect(sandbox.world.users.get(1001)?.photo).not.toBe(photo);
    await patch('/accounts/1001', { photo: false });
    expect(sandbox.world.users.get(1001)).not.toHaveProperty('photo');
    expect(await patch('/accounts/1001', { blocked: [77] })).toEqual(refused(404, 'account not found'));
  });

  it('changes chats, and who is in them', async () => {
    expect((await patch('/chats/@daily', { about: 'Now weekly', username: '' })).status).toBe(200);
    expect(sandbox.world.chats.get('channel:4001')).toMatchObject({ title: 'Daily', about: 'Now weekly' });
    expect(sandbox.world.chats.get('channel:4001')).not.toHaveProperty('username');
    await control(sandbox, 'PUT', '/chats/-1004001/members/1001', { role: 'left' });
    await control(sandbox, 'PUT', '/chats/-1004001/members/1002', { role: 'admin' });
    expect(sandbox.world.chats.get('channel:4001')?.members).toEqual({
      1002: { date: expect.any(Number), role: 'admin' },
      1003: { date: expect.any(Number) },
    });
    expect(await patch('/chats/1001', { about: 'x' })).toEqual(refused(400, 'not a group or channel'));
  });
});

describe('POST /qr/scan', () => {
  const link = () => {
    const { token } = issueToken(sandbox.world, '00000000000000ff', []);
    return `tg://login?token=${Buffer.from(token, 'hex').toString('base64url')}`;
  };
  const picture = async (text: string) =>
    (
      await sharp(Buffer.from(encodeQr(text, 'svg')))
        .resize(300)
        .png()
        .toBuffer()
    ).toString('base64');

  it('takes a link, or a picture of it', async () => {
    expect(await post('/qr/scan', { link: link(), userId: '1001' })).toMatchObject({ status: 200 });
    expect(await post('/qr/scan', { link: link(), userId: 1001 })).toMatchObject({ status: 200 });
    const qrcode = await picture(link());
    expect(await post('/qr/scan', { qrcode, userId: '1001' })).toMatchObject({ status: 200 });
    expect(
      await post('/qr/scan', { qrcode: `data:image/png;base64,${await picture(link())}`, userId: '1001' }),
    ).toMatchObject({ status: 200 });
  });

  it('says what is wrong with a token', async () => {
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
    expect(await post('/qr/scan', { link: link(), userId: '1004' })).toEqual(refused(400, 'this account has no phone'));
  });
});

describe('messages', () => {
  it('are written, seen by the other, edited, read and deleted', async () => {
    const { body } = await post('/accounts/1001/messages', { peer: 1002, text: 'one', silent: true });
    expect(body).toEqual({ messageId: expect.stringMatching(/^\d+$/) });
    const path = `/accounts/1001/messages/1002/${body.messageId}`;
    expect((await control(sandbox, 'PATCH', path, { text: 'two' })).status).toBe(200);
    const seen = async () => (await get('/accounts/1002/messages?peer=@ann&limit=1')).body[0];
    expect(await seen()).toMatchObject({
      text: 'two',
      out: false,
      silent: true,
      from: { userId: '1001', name: 'Ann Lee' },
    });
    expect((await seen()).edited).not.toBeNull();
    expect((await post('/accounts/1002/read', { peer: '1001' })).body).toEqual({ read: true });
    expect((await control(sandbox, 'DELETE', path)).status).toBe(200);
    expect((await seen()).text).toBe('And the tea.');
    expect(await control(sandbox, 'DELETE', path)).toEqual(refused(404, 'message not found'));
  });

  it('carry media of every kind', async () => {
    for (const kind of mediaKinds) {
      expect((await post('/accounts/1002/messages', { peer: 1001, media: { kind }, text: 'c' })).status).toBe(200);
    }
    const { body } = await get(`/accounts/1001/messages?peer=1002&limit=${mediaKinds.length}`);
    expect(body.toReversed().map(({ media }: { media: { kind: string } }) => media.kind)).toEqual(mediaKinds);
    const photo = body.find(({ media }: { media: { kind: string } }) => media.kind === 'photo');
    expect(photo.media).toMatchObject({
      mime: 'image/jpeg',
      width: 1280,
      height: 960,
      caption: 'c',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('keep a file that is given', async () => {
    const content = Buffer.from('hello file').toString('base64');
    await post('/accounts/1002/messages', {
      peer: 1001,
      media: { kind: 'document', content, name: 'a.txt', mime: 'text/plain' },
    });
    const { body } = await get('/accounts/1001/messages?peer=1002&limit=1');
    expect(body[0].media).toMatchObject({ kind: 'document', name: 'a.txt', size: 10, mime: 'text/plain' });
  });

  it('are refused by the name of what is wrong', async () => {
    expect(await post('/accounts/1001/messages', { peer: '-1003003', text: 'x' })).toEqual(
      refused(400, 'CHAT_WRITE_FORBIDDEN'),
    );
    expect(await post('/accounts/1001/messages', { peer: '@nobody', text: 'x' })).toEqual(
      refused(400, 'peer not found'),
    );
    expect(await post('/accounts/1001/messages', { peer: 1002 })).toEqual(refused(400, 'text should not be empty'));
    expect((await post('/accounts/1001/messages', { peer: 1002, media: { kind: 'hologram' } })).status).toBe(400);
    expect((await get('/accounts/1001/messages')).status).toBe(400);
  });
});

describe('the seeded world', () => {
  it('is always the same', async () => {
    const look = async () => {
      const paths = [
        '/accounts',
        '/accounts/1001/chats',
        '/accounts/1001/messages?peer=@daily&limit=300',
        '/accounts/1001/messages?peer=@makers',
      ];
      return Promise.all(paths.map(async (path) => (await get(path)).body));
    };
    const before = await look();
    await post('/accounts/1001/messages', { peer: '@daily', text: 'x' });
    await post('/accounts', { firstName: 'Eve' });
    expect(await look()).not.toEqual(before);
    await post('/reset');
    expect(await look()).toEqual(before);
    const { sandbox: other } = await openSandbox();
    const there = (await control(other, 'GET', '/accounts/1001/messages?peer=@daily&limit=300')).body;
    await other.close();
    expect(there).toEqual(before[2]);
    expect(there).toHaveLength(260);
  });

  it('has the groups and channels of the plan', async () => {
    const { body } = await get('/accounts/1001/chats');
    expect(body.map(({ peer, kind, title }: Record<string, string>) => `${peer} ${kind} ${title}`).toSorted()).toEqual(
      [
        '-1003001 group Makers',
        '-1003002 group Quiet room',
        '-1003003 group Read only',
        '-1003004 group Slow',
        '-1004001 channel Daily',
        '-1004002 channel Private notes',
        '-2001 group Family',
        '1002 user Bob Stone',
        '1003 user Cara',
        '1004 user Helper',
        '1005 user Dan Deleted',
      ].toSorted(),
    );
    expect((await get('/accounts/1001/messages?peer=-1004002')).body).toHaveLength(5);
  });
});

describe('faults and records', () => {
  it('hit the calls they are meant for, and are recorded without secrets', async () => {
    const client = await mtcuteClient(sandbox.protocol);
    await client.signInQr({ onUrlUpdated: (link) => void post('/qr/scan', { link, userId: 1001 }) });
    expect((await get('/accounts/1001/devices')).body).toMatchObject([{ dc: 2, apiId: 17349 }]);
    await post('/faults', { method: 'help.getNearestDc', error: 'FLOOD_WAIT_333', userId: 1002 });
    await client.call({ _: 'help.getNearestDc' });
    await post('/faults', { method: 'help.getNearestDc', error: 'SOME_ERROR', times: 2 });
    for (let time = 0; time < 2; time += 1) {
      await expect(client.call({ _: 'help.getNearestDc' })).rejects.toThrow('SOME_ERROR');
    }
    await client.call({ _: 'help.getNearestDc' });
    await post('/faults', { method: 'help.getNearestDc', error: 'SOME_ERROR', times: 9 });
    await control(sandbox, 'DELETE', '/faults');
    await client.call({ _: 'help.getNearestDc' });
    const { body: calls } = await get('/calls?method=help.getNearestDc');
    expect(calls.map(({ answer, error }: Record<string, string>) => answer ?? error)).toEqual([
      'nearestDc',
      '400 SOME_ERROR',
      '400 SOME_ERROR',
      'nearestDc',
      'nearestDc',
    ]);
    const text = JSON.stringify((await get('/calls')).body);
    expect(text).toContain('auth.exportLoginToken');
    expect(text).not.toContain((await get('/connection')).body.apiHash);
    expect((await get('/stats')).body).toMatchObject({ logins: 1, keys: expect.any(Number) });
    await control(sandbox, 'DELETE', '/accounts/1001/devices');
    expect((await get('/accounts/1001/devices')).body).toEqual([]);
    await client.destroy();
  });

  it('let time pass', async () => {
    const before = sandbox.world.now();
    const { body } = await post('/clock', { advanceMs: 90_000 });
    expect(Date.parse(body.now)).toBe((before + 90) * 1_000);
    expect(sandbox.world.now()).toBe(before + 90);
    await post('/reset');
    expect(sandbox.world.now()).toBe(before);
    expect((await post('/clock', { advanceMs: -1 })).status).toBe(400);
  });

  it('are refused where they say nothing', async () => {
    expect(await post('/faults', { method: 'x' })).toEqual(
      refused(400, 'one of error, delayMs, dropAnswer is required'),
    );
    expect((await post('/network', { action: 'explode' })).status).toBe(400);
    expect((await post('/network', { action: 'cut', userId: '99' })).status).toBe(404);
    expect((await get('/calls?since=yesterday')).status).toBe(400);
    for (const action of ['cut', 'refuse', 'blackhole', 'slowPong', 'accept']) {
      expect((await post('/network', { action, userId: 1001 })).status).toBe(200);
    }
    const chaos = {
      batchAnswers: 0,
      loseUpdates: 0,
      expireFileReferences: true,
      badSalt: true,
      forgetKey: true,
      userId: 1001,
    };
    expect((await post('/chaos', chaos)).status).toBe(200);
  });
});

describe('every answer that is no success', () => {
  it('has the same shape', async () => {
    expect(await get('/nowhere')).toEqual(refused(404, 'not found'));
    const raw = (body: string, type: string) =>
      fetch(`${sandbox.url}/accounts`, { method: 'POST', headers: { 'content-type': type }, body });
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
        request(`${sandbox.url}/accounts`, { headers }, (answer) => resolve(answer.statusCode)).end(),
      );
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'localhost:4400' })).toBe(200);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
  });

  it('may be called by pages of this machine, and says so to their browser', async () => {
    const origin = 'http://localhost:3000';
    const asked = await fetch(`${sandbox.url}/qr/scan`, { method: 'OPTIONS', headers: { origin } });
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'content-type',
      vary: 'origin',
    });
    const answer = await fetch(`${sandbox.url}/accounts`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const stranger = await fetch(`${sandbox.url}/accounts`, { headers: { origin: 'http://evil.example' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is no page: the phone is one', async () => {
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/phone.css', 'text/css'],
      ['/chat.css', 'text/css'],
      ['/account.js', 'text/javascript'],
      ['/link.js', 'text/javascript'],
      ['/media.js', 'text/javascript'],
      ['/phone.js', 'text/javascript'],
    ] as const) {
      const answer = await fetch(sandbox.url + path);
      expect(answer.headers.get('content-type')).toContain(type);
      expect((await answer.text()).length).toBeGreaterThan(500);
    }
  });
});
