import AuthKeys from 'telegram/crypto/AuthKey.js';
import { UpdateConnectionState } from 'telegram/network/index.js';
import { StringSession } from 'telegram/sessions/index.js';
import { describe, expect, it } from 'vitest';
import { readLogin, writeLogin } from '../../../../src/telegram/login/login-state.ts';
import { PeerCache } from '../../../../src/telegram/peer-cache.ts';
import type { AccountUpdate } from '../../../../src/telegram/port/updates.ts';
import { texts, useDefectScene } from '../../../support/telegram/defect-scene.ts';
import { recordingInto, textsOf } from '../../../support/telegram/recording.ts';
import { anyTime, until, watch } from '../../../support/telegram/scene.ts';
import { Api, updatesOf } from '../../../support/telegram/stock.ts';

const given = useDefectScene();

describe('D2: a message that comes while the connection is down', () => {
  it('[D2] never reaches a client of GramJS', async () => {
    const client = await given.stock('1001');
    const updates = updatesOf(client);
    await client.getMe();
    await given.write('1002', '1001', 'before');
    await until(() => texts(updates).includes('before'));
    await given.scene.control('POST', '/network', { action: 'cut' });
    await given.write('1002', '1001', 'meanwhile');
    await until(async () => (await client.getMe().catch(() => undefined)) !== undefined && client.connected === true);
    await given.write('1002', '1001', 'after');
    await until(() => texts(updates).includes('after'));
    expect(texts(updates)).toEqual(['before', 'after']);
  });

  it('[D2] reaches ours, once, as does one that was pushed and lost', async () => {
    const updates: AccountUpdate[] = [];
    await given.reopen({ recording: recordingInto(updates) }, given.sandbox);
    await given.scene.loggedIn('d2', '1001');
    await given.write('1002', '1001', 'before');
    await until(() => textsOf(updates).includes('before'));

    await given.scene.control('POST', '/network', { action: 'cut' });
    await given.write('1002', '1001', 'meanwhile');
    await until(
      () => given.scene.clock.nextDueAt() !== undefined && given.scene.telegram.accounts.get('d2') !== undefined,
    );
    await until(async () => {
      await given.scene.clock.advance(500);
      return textsOf(updates).includes('meanwhile');
    });

    await given.scene.control('POST', '/chaos', { loseUpdates: 1 });
    await given.write('1002', '1001', 'lost');
    await given.write('1002', '1001', 'after');
    await until(async () => {
      await given.scene.clock.advance(100);
      return textsOf(updates).includes('after');
    });
    expect(textsOf(updates)).toEqual(['before', 'meanwhile', 'lost', 'after']);
  });

  it('[D2] is fetched after a restart', async () => {
    const updates: AccountUpdate[] = [];
    await given.reopen({ recording: recordingInto(updates) }, given.sandbox);
    await given.scene.loggedIn('d2', '1001');
    await given.scene.restart();
    await given.write('1002', '1001', 'while nobody was there');
    const link = given.scene.link('d2');
    link.connect(1);
    await link.next('ConnectionRestored');
    await until(() => textsOf(updates).length > 0);
    expect(textsOf(updates)).toEqual(['while nobody was there']);
  });

  it('[WH5.2] is not fetched again where the stored login is older than what was recorded', async () => {
    const updates: AccountUpdate[] = [];
    await given.reopen({ recording: recordingInto(updates) }, given.sandbox);
    await given.scene.loggedIn('d2', '1001');
    const stored = given.scene.logins.get('d2') ?? '';
    await given.write('1002', '1001', 'recorded');
    await until(() => updates.length > 0);
    await given.scene.restart();
    given.scene.logins.set('d2', stored);
    await given.write('1002', '1001', 'while nobody was there');
    const link = given.scene.link('d2');
    link.connect(1);
    await link.next('ConnectionRestored');
    await until(() => updates.length > 1);
    expect(textsOf(updates)).toEqual(['recorded', 'while nobody was there']);
  });
});

describe('D5: memory of whom one has met', () => {
  it('[D5] grows in GramJS with every mention of the same person', async () => {
    const client = await given.stock('1001');
    const { _entities: rows } = client.session as unknown as { _entities: Set<unknown> };
    await client.getMe();
    const before = rows.size;
    for (let i = 0; i < 20; i++) await client.getMe();
    expect(rows.size).toBeGreaterThanOrEqual(before + 20);
  });

  it('[D5] holds one row a peer in ours, and only so many', async () => {
    const link = await given.scene.loggedIn('d5', '1001');
    const peersStored = async (): Promise<number> => {
      await given.scene.live(60_000);
      return readLogin(given.scene.logins.get('d5') ?? '')?.peers.length ?? 0;
    };
    await link.account().byPhone('15550000002', anyTime);
    const before = await peersStored();
    for (let i = 0; i < 20; i++) await link.account().byPhone('15550000002', anyTime);
    expect(await peersStored()).toBe(before);

    const book = new PeerCache([], 3);
    for (const id of ['1', '2', '3', '1', '4']) book.learn({ kind: 'user', id, hash: '9' });
    expect(book.all().map(({ id }) => id)).toEqual(['3', '1', '4']);
  });
});

describe('D7: a device that was removed on the phone', () => {
  it('[D7] is told to nobody by GramJS but its error handler', async () => {
    const client = await given.stock('1001');
    const errors: string[] = [];
    client.onError = async (error: Error) => void errors.push(error.message);
    const updates = updatesOf(client);
    await client.getMe();
    await given.scene.control('DELETE', '/accounts/1001/devices');
    await until(() => errors.some((message) => message.startsWith('401')));
    expect(client.connected).toBe(true);
    expect(updates.some((update) => update instanceof UpdateConnectionState && update.state === 0)).toBe(false);
  });

  it('[D7] [SE9.1] is a lost login in ours', async () => {
    const link = await given.scene.loggedIn('d7', '1001');
    await given.scene.control('DELETE', '/accounts/1001/devices');
    await until(async () => {
      await given.scene.clock.advance(500);
      return link.facts.some(({ type }) => type === 'LoginLost');
    });
    expect(link.facts.at(-1)).toMatchObject({
      reason: expect.stringMatching(/^(SESSION_REVOKED|AUTH_KEY_UNREGISTERED)$/),
    });
  });
});

describe('D9: an answer that is lost', () => {
  /** What Telegram answers to a repeated number while the first send is under way. */
  const underWay = { method: 'messages.sendMessage', error: 'RANDOM_ID_DUPLICATE', code: 500 };

  it('[D9] makes GramJS say that a message that went out is a mistake', async () => {
    const client = await given.stock('1001');
    const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username: 'bob' }));
    await given.scene.control('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    await given.scene.control('POST', '/faults', underWay);
    const sending = watch(client.sendMessage(users[0] as Api.User, { message: 'once' }));
    await until(async () => (await sentBy('1001', 'once')) === 1);
    await given.scene.control('POST', '/network', { action: 'cut' });
    await until(() => sending.settled !== 'no');
    expect(String(sending.error)).toContain('RANDOM_ID_DUPLICATE');
  });

  it('[D9] is found again by ours, whether the connection broke or not', async () => {
    const link = await given.scene.loggedIn('d9', '1001');
    const bob = await link.account().byUsername('bob', anyTime);
    for (const [randomId, how] of [
      [11n, 'cut'],
      [12n, 'silence'],
      [13n, 'silence, still under way'],
    ] as const) {
      await given.scene.control('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
      if (randomId === 13n) await given.scene.control('POST', '/faults', underWay);
      const text = `once, with ${how}`;
      let id: number | undefined;
      const message = { text, entities: [], randomId, begunAt: given.scene.clock.now() };
      const sending = link.account().sendText(bob, message, anyTime);
      void sending.then((sent) => {
        id = sent;
      });
      await until(async () => (await sentBy('1001', text)) === 1);
      if (how === 'cut') await given.scene.control('POST', '/network', { action: 'cut' });
      await until(async () => {
        await given.scene.clock.advance(500);
        return id !== undefined;
      });
      const [newest] = await given.scene.control<{ id: number }[]>('GET', '/accounts/1001/messages?peer=1002&limit=1');
      expect(id).toBe(newest?.id);
      expect(await sentBy('1001', text)).toBe(1);
    }
  });

  const sentBy = async (from: string, text: string): Promise<number> => {
    const messages = await given.scene.control<{ text: string }[]>(
      'GET',
      `/accounts/${from}/messages?peer=1002&limit=10`,
    );
    return messages.filter((message) => message.text === text).length;
  };
});

describe('D10: a port beyond 32767', () => {
  it('[D10] cannot be stored by GramJS', async () => {
    const session = new StringSession('');
    session.setDC(2, '127.0.0.1', 40_000);
    const key = new AuthKeys.AuthKey();
    await key.setKey(Buffer.alloc(256, 1));
    session.authKey = key;
    expect(() => session.save()).toThrow(RangeError);
  });

  it('[D10] is no matter in ours: a login is stored without an address', async () => {
    const login = { stage: 'complete', dc: 2, keys: new Map([[2, Buffer.alloc(256, 1)]]), peers: [] } as const;
    expect(readLogin(writeLogin({ ...login, peers: [] }))).toEqual(login);
    await given.scene.loggedIn('d10', '1001');
    expect(given.scene.options.network.dcs.some(({ port }) => port > 32_767)).toBe(true);
    for (const { port } of given.scene.options.network.dcs)
      expect(given.scene.logins.get('d10')).not.toContain(String(port));
  });
});
