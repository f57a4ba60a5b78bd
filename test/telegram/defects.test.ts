import { type AddressInfo, createServer, Socket } from 'node:net';
import AuthKeys from 'telegram/crypto/AuthKey.js';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import Helpers from 'telegram/Helpers.js';
import { UpdateConnectionState } from 'telegram/network/index.js';
import { StringSession } from 'telegram/sessions/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dhPrimeNumber } from '../../sandbox/crypto/dh.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { powMod, toBigInt } from '../../src/telegram/gramjs/arithmetic.ts';
import { applyHardening } from '../../src/telegram/gramjs/hardening.ts';
import { TcpSocket } from '../../src/telegram/gramjs/tcp-socket.ts';
import { openWire } from '../../src/telegram/gramjs/wire.ts';
import { readLogin, writeLogin } from '../../src/telegram/login-state.ts';
import { PeerBook } from '../../src/telegram/peer-book.ts';
import { gramJsClient } from '../support/telegram-clients/gramjs.ts';
import { anyTime, openSandbox, openScene, type Scene, until, watch } from './scene.ts';
import { Api, endStock, stockLogin, updatesOf } from './stock.ts';

/**
 * The defects of GramJS by their numbers: each shown on the package as it comes, then its absence in ours.
 * Everything is real but the time of the gateway.
 */
let sandbox: Sandbox;
let scene: Scene;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  sandbox = await openSandbox();
});
beforeEach(async () => {
  scene = await openScene({}, sandbox);
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await scene.close();
});
afterAll(() => sandbox.close());

const stock = async (userId: string): Promise<Awaited<ReturnType<typeof stockLogin>>> => {
  const client = await stockLogin(scene, userId);
  ends.push(() => endStock(client));
  return client;
};
const self = (): Api.users.GetUsers => new Api.users.GetUsers({ id: [new Api.InputUserSelf()] });
const write = (from: string, peer: string, text: string): Promise<unknown> =>
  scene.control('POST', `/accounts/${from}/messages`, { peer, text });
const texts = (updates: unknown[]): string[] =>
  updates.flatMap((update) => {
    if (update instanceof Api.UpdateShortMessage) return [update.message];
    return update instanceof Api.UpdateNewMessage && update.message instanceof Api.Message
      ? [update.message.message]
      : [];
  });

describe('D1: an error inside a container', () => {
  const askThreeAtOnce = async (
    ask: (request: Api.AnyRequest) => Promise<unknown>,
  ): Promise<ReturnType<typeof watch>[]> => {
    await scene.control('POST', '/chaos', { batchAnswers: 20 });
    const bad = watch(ask(new Api.contacts.ResolveUsername({ username: 'nobody_at_all' })));
    const good = [watch(ask(self())), watch(ask(self()))];
    await until(() => bad.settled === 'rejected');
    await scene.control('POST', '/chaos', { batchAnswers: 0 });
    // Whatever was in that container has been handled once a later request is answered.
    await ask(new Api.updates.GetState());
    return good;
  };

  it('[D1] takes all later answers of the container with it in GramJS', async () => {
    const client = await stock('1001');
    const good = await askThreeAtOnce((request) => client.invoke(request));
    expect(good.map(({ settled }) => settled)).toEqual(['no', 'no']);
  });

  it('[D1] harms nobody else in ours', async () => {
    const link = await scene.loggedIn('d1', '1001');
    const good = await Promise.all([
      link
        .account()
        .byUsername('nobody_at_all', anyTime)
        .catch(() => 'nobody'),
      link.account().byUsername('bob', anyTime),
      link.account().byUsername('makers', anyTime),
    ]);
    expect(good).toMatchObject(['nobody', { id: '1002' }, { id: '-1003001' }]);
    const wire = await openWire(scene.options, { dc: 2, key: keyOf('d1') }, anyTime);
    ends.push(() => wire.close());
    await wire.introduce(new Api.updates.GetState());
    const answers = await askThreeAtOnce((request) => wire.invoke(request));
    expect(answers.map(({ settled }) => settled)).toEqual(['resolved', 'resolved']);
  });
});

describe('a message in words of a later layer', () => {
  const unknown = Buffer.from('efbeadde', 'hex');
  const known = new Api.UpdateShort({ update: new Api.UpdateLoginToken(), date: 1 }).getBytes();
  const read = async (bodies: Buffer[]): Promise<unknown[]> => {
    const head = Buffer.from('dcf8f173', 'hex');
    const messages = bodies.map((body) => {
      const envelope = Buffer.alloc(16);
      envelope.writeInt32LE(body.length, 12);
      return Buffer.concat([envelope, body]);
    });
    const reader = new BinaryReader(Buffer.concat([head, Buffer.of(bodies.length, 0, 0, 0), ...messages]));
    const container = (await reader.tgReadObject()) as { messages: { obj: unknown }[] };
    return container.messages.map(({ obj }) => obj);
  };

  it('takes the others of its container with it in GramJS', async () => {
    applyHardening()();
    ends.push(applyHardening);
    await expect(read([unknown, known])).rejects.toThrow('Could not find a matching Constructor ID');
  });

  it('means in ours that there is something to ask for', async () => {
    applyHardening();
    const messages = await read([unknown, known]);
    expect(messages).toMatchObject([{ className: 'UpdatesTooLong' }, { className: 'UpdateShort' }]);
  });
});

describe('D2: a message that comes while the connection is down', () => {
  it('[D2] never reaches a client of GramJS', async () => {
    const client = await stock('1001');
    const updates = updatesOf(client);
    await client.getMe();
    await write('1002', '1001', 'before');
    await until(() => texts(updates).includes('before'));
    await scene.control('POST', '/network', { action: 'cut' });
    await write('1002', '1001', 'meanwhile');
    await until(async () => (await client.getMe().catch(() => undefined)) !== undefined && client.connected === true);
    await write('1002', '1001', 'after');
    await until(() => texts(updates).includes('after'));
    expect(texts(updates)).toEqual(['before', 'after']);
  });

  it('[D2] reaches ours, once, as does one that was pushed and lost', async () => {
    const updates: unknown[] = [];
    await scene.close();
    scene = await openScene({ onUpdate: (_session, update) => void updates.push(update) }, sandbox);
    await scene.loggedIn('d2', '1001');
    await write('1002', '1001', 'before');
    await until(() => texts(updates).includes('before'));

    await scene.control('POST', '/network', { action: 'cut' });
    await write('1002', '1001', 'meanwhile');
    await until(() => scene.clock.nextDueAt() !== undefined && scene.telegram.accounts.get('d2') !== undefined);
    await until(async () => {
      await scene.clock.advance(500);
      return texts(updates).includes('meanwhile');
    });

    await scene.control('POST', '/chaos', { loseUpdates: 1 });
    await write('1002', '1001', 'lost');
    await write('1002', '1001', 'after');
    await until(async () => {
      await scene.clock.advance(100);
      return texts(updates).includes('after');
    });
    expect(texts(updates)).toEqual(['before', 'meanwhile', 'lost', 'after']);
  });

  it('[D2] is fetched after a restart', async () => {
    const updates: unknown[] = [];
    await scene.close();
    scene = await openScene({ onUpdate: (_session, update) => void updates.push(update) }, sandbox);
    await scene.loggedIn('d2', '1001');
    await scene.restart();
    await write('1002', '1001', 'while nobody was there');
    const link = scene.link('d2');
    link.connect(1);
    await link.next('ConnectionRestored');
    await until(() => texts(updates).length > 0);
    expect(texts(updates)).toEqual(['while nobody was there']);
  });
});

describe('D3: a server that is not there', () => {
  /** Accepts and hangs up, and counts how often. */
  const hangUp = async (): Promise<{ port: number; attempts: () => number }> => {
    let attempts = 0;
    const server = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    ends.push(() => void server.close());
    return { port: (server.address() as AddressInfo).port, attempts: () => attempts };
  };

  it('[D3] is tried for ever by GramJS, even after it was told to stop', async () => {
    const { port, attempts } = await hangUp();
    const client = gramJsClient({ ...scene.sandbox.protocol, ports: new Map([[2, port]]) }, 'full');
    client.onError = async () => undefined;
    const inner = client as unknown as { _retryDelay: number; _sender: { _retries: number } };
    inner._retryDelay = 5;
    const connecting = watch(client.connect());
    await until(() => attempts() > 0);
    await client.destroy();
    const before = attempts();
    await until(() => attempts() > before + 2);
    expect(connecting.settled).toBe('no');
    inner._sender._retries = 0;
    await until(() => connecting.settled !== 'no');
  });

  it('[D3] is left alone by ours as soon as it is told to stop', async () => {
    const { port, attempts } = await hangUp();
    await scene.loggedIn('d3', '1001');
    await scene.telegram.close();
    const network = { ...scene.options.network, dcs: [{ id: 2, host: '127.0.0.1', port }] };
    const { createTelegram } = await import('../../src/telegram/gramjs/telegram.ts');
    const telegram = createTelegram({ ...scene.options, network });
    const link = telegram.createLink('d3', async () => undefined);
    link.connect(1);
    await until(() => attempts() > 0);
    await link.close();
    expect(scene.clock.armed()).toBe(0);
    const before = attempts();
    await scene.clock.advance(10 * 60_000);
    expect(attempts()).toBe(before);
  });
});

describe('D4: timers of a client that is done', () => {
  it('[D4] go on pinging in GramJS', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    ends.push(() => vi.useRealTimers());
    const client = gramJsClient(scene.sandbox.protocol, 'full');
    const errors: string[] = [];
    client.onError = async (error: Error) => void errors.push(error.message);
    await client.connect();
    await client.disconnect();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(errors).toContain('TIMEOUT');
    (client as unknown as { _destroyed: boolean })._destroyed = true;
    await vi.advanceTimersByTimeAsync(60_000);
  });

  it('[D4] are gone in ours once the link is closed', async () => {
    scene = await openScene();
    const link = await scene.loggedIn('d4', '1001');
    expect(scene.clock.armed()).toBeGreaterThan(0);
    await link.close();
    expect(scene.clock.armed()).toBe(0);
    await until(() => scene.sandbox.protocol.stats().connections === 0);
  });
});

describe('D5: memory of whom one has met', () => {
  it('[D5] grows in GramJS with every mention of the same person', async () => {
    const client = await stock('1001');
    const { _entities: rows } = client.session as unknown as { _entities: Set<unknown> };
    await client.getMe();
    const before = rows.size;
    for (let i = 0; i < 20; i++) await client.getMe();
    expect(rows.size).toBeGreaterThanOrEqual(before + 20);
  });

  it('[D5] holds one row a peer in ours, and only so many', async () => {
    const link = await scene.loggedIn('d5', '1001');
    const peersStored = async (): Promise<number> => {
      await scene.live(60_000);
      return readLogin(scene.logins.get('d5') ?? '')?.peers.length ?? 0;
    };
    await link.account().byPhone('15550000002', anyTime);
    const before = await peersStored();
    for (let i = 0; i < 20; i++) await link.account().byPhone('15550000002', anyTime);
    expect(await peersStored()).toBe(before);

    const book = new PeerBook([], 3);
    for (const id of ['1', '2', '3', '1', '4']) book.learn({ kind: 'user', id, hash: '9' });
    expect(book.all().map(({ id }) => id)).toEqual(['3', '1', '4']);
  });
});

describe('D6: a key that the server has forgotten', () => {
  it('[D6] leaves GramJS connected to nothing', async () => {
    const client = await stock('1001');
    const updates = updatesOf(client);
    await client.getMe();
    await scene.control('POST', '/chaos', { forgetKey: true });
    const asking = watch(client.getMe());
    await until(() => updates.some((update) => update instanceof UpdateConnectionState && update.state === 0));
    expect(client.connected).toBe(true);
    expect(asking.settled).toBe('no');
  });

  it('[D6] [SE9] is a lost login in ours, told once', async () => {
    const link = await scene.loggedIn('d6', '1001');
    await scene.control('POST', '/chaos', { forgetKey: true });
    await until(async () => {
      await scene.clock.advance(500);
      return link.facts.some(({ type }) => type === 'LoginLost');
    });
    await scene.clock.advance(60_000);
    expect(link.facts.filter(({ type }) => type === 'LoginLost')).toEqual([
      { type: 'LoginLost', login: 1, reason: 'AUTH_KEY_INVALID' },
    ]);
    expect(scene.telegram.accounts.get('d6')).toBeUndefined();
  });
});

describe('D7: a device that was removed on the phone', () => {
  it('[D7] is told to nobody by GramJS but its error handler', async () => {
    const client = await stock('1001');
    const errors: string[] = [];
    client.onError = async (error: Error) => void errors.push(error.message);
    const updates = updatesOf(client);
    await client.getMe();
    await scene.control('DELETE', '/accounts/1001/devices');
    await until(() => errors.some((message) => message.startsWith('401')));
    expect(client.connected).toBe(true);
    expect(updates.some((update) => update instanceof UpdateConnectionState && update.state === 0)).toBe(false);
  });

  it('[D7] [SE9] is a lost login in ours', async () => {
    const link = await scene.loggedIn('d7', '1001');
    await scene.control('DELETE', '/accounts/1001/devices');
    await until(async () => {
      await scene.clock.advance(500);
      return link.facts.some(({ type }) => type === 'LoginLost');
    });
    expect(link.facts.at(-1)).toMatchObject({
      reason: expect.stringMatching(/^(SESSION_REVOKED|AUTH_KEY_UNREGISTERED)$/),
    });
  });
});

describe('D8: connections for files', () => {
  const connections = (): number => scene.sandbox.protocol.stats().connections;

  it('[D8] outlive the client in GramJS', async () => {
    const client = await stock('1001');
    await client.getSender(client.session.dcId);
    const open = connections();
    expect(open).toBeGreaterThan(1);
    await client.destroy();
    await until(() => connections() < open);
    await client.getSender(1).catch(() => undefined);
    expect(connections()).toBeGreaterThan(0);
  });

  it('[D8] are closed with the call that needed them in ours', async () => {
    scene = await openScene();
    const link = await scene.loggedIn('d8', '1001');
    const { callElsewhere } = await import('../../src/telegram/gramjs/branch.ts');
    const wire = await openWire(scene.options, { dc: 2, key: keyOf('d8') }, anyTime);
    await wire.introduce(new Api.updates.GetState());
    const keys = new Map<number, Buffer>();
    const home = { keys, call: <R extends Api.AnyRequest>(request: R) => wire.invoke(request) };
    for (let i = 0; i < 2; i++) {
      const [user] = await callElsewhere(scene.options, home, 4, self(), anyTime);
      expect(user).toMatchObject({ firstName: 'Ann' });
    }
    expect([...keys.keys()]).toEqual([4]);
    wire.close();
    await until(() => connections() === 1);
    await link.close();
    await until(() => connections() === 0);
  });
});

describe('a connection for files', () => {
  it('gets a new key where Telegram has forgotten the one it had', async () => {
    await scene.loggedIn('files', '1001');
    const { callElsewhere } = await import('../../src/telegram/gramjs/branch.ts');
    const wire = await openWire(scene.options, { dc: 2, key: keyOf('files') }, anyTime);
    await wire.introduce(new Api.updates.GetState());
    const keys = new Map([[4, Buffer.alloc(256, 7)]]);
    const home = { keys, call: <R extends Api.AnyRequest>(request: R) => wire.invoke(request) };
    const [user] = await callElsewhere(scene.options, home, 4, self(), anyTime);
    expect(user).toMatchObject({ firstName: 'Ann' });
    wire.close();
  });
});

describe('D9: an answer that is lost', () => {
  it('[D9] makes GramJS say that a message that went out is a mistake', async () => {
    const client = await stock('1001');
    const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username: 'bob' }));
    await scene.control('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    const sending = watch(client.sendMessage(users[0] as Api.User, { message: 'once' }));
    await until(async () => (await sentBy('1001', 'once')) === 1);
    await scene.control('POST', '/network', { action: 'cut' });
    await until(() => sending.settled !== 'no');
    expect(String(sending.error)).toContain('RANDOM_ID_DUPLICATE');
  });

  it('[D9] is found again by ours, whether the connection broke or not', async () => {
    const link = await scene.loggedIn('d9', '1001');
    const bob = await link.account().byUsername('bob', anyTime);
    for (const [randomId, how] of [
      [11n, 'cut'],
      [12n, 'silence'],
    ] as const) {
      await scene.control('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
      const text = `once, with ${how}`;
      let id: number | undefined;
      const sending = link.account().sendText(bob, { text, entities: [], randomId }, anyTime);
      void sending.then((sent) => {
        id = sent;
      });
      await until(async () => (await sentBy('1001', text)) === 1);
      if (how === 'cut') await scene.control('POST', '/network', { action: 'cut' });
      await until(async () => {
        await scene.clock.advance(500);
        return id !== undefined;
      });
      const [newest] = await scene.control<{ id: number }[]>('GET', '/accounts/1001/messages?peer=1002&limit=1');
      expect(id).toBe(newest?.id);
      expect(await sentBy('1001', text)).toBe(1);
    }
  });

  const sentBy = async (from: string, text: string): Promise<number> => {
    const messages = await scene.control<{ text: string }[]>('GET', `/accounts/${from}/messages?peer=1002&limit=10`);
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
    await scene.loggedIn('d10', '1001');
    expect(scene.options.network.dcs.some(({ port }) => port > 32_767)).toBe(true);
    for (const { port } of scene.options.network.dcs) expect(scene.logins.get('d10')).not.toContain(String(port));
  });
});

describe('D11: small packets', () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
  const port = (): number => scene.sandbox.protocol.ports.get(2) ?? 0;

  it('[D11] wait for one another in GramJS', async () => {
    const client = gramJsClient(scene.sandbox.protocol, 'full');
    noDelay.mockClear();
    await client.connect();
    expect(noDelay.mock.contexts.filter((socket) => (socket as Socket).remotePort === port())).toEqual([]);
    await endStock(client);
  });

  it('[D11] leave at once in ours', async () => {
    noDelay.mockClear();
    const socket = new TcpSocket();
    await socket.connect(port(), '127.0.0.1');
    expect(noDelay).toHaveBeenCalledWith(true);
    await socket.close();
  });
});

describe('D12: a key that begins with a zero byte', () => {
  /** Makes the next key exchange agree on such a key, by choosing our secret when the server's half is known. */
  const forceShortKey = (): void => {
    const read = Helpers.readBigIntFromBuffer;
    const random = Helpers.generateRandomBytes;
    let serverHalf: bigint | undefined;
    const readSpy = vi.spyOn(Helpers, 'readBigIntFromBuffer').mockImplementation((buffer, little, signed) => {
      if (buffer.length === 256 && little === false) serverHalf = toBigInt(Buffer.from(buffer));
      return read(buffer, little, signed);
    });
    const randomSpy = vi.spyOn(Helpers, 'generateRandomBytes').mockImplementation((count) => {
      if (count !== 256 || serverHalf === undefined) return random(count);
      for (;;) {
        const secret = Buffer.concat([Buffer.alloc(1), random(255)]);
        if (powMod(serverHalf, toBigInt(secret), dhPrimeNumber) >> 2040n === 0n) return secret;
      }
    });
    ends.push(() => {
      readSpy.mockRestore();
      randomSpy.mockRestore();
    });
  };

  it('[D12] breaks the handshake in GramJS', async () => {
    applyHardening()();
    ends.push(applyHardening);
    forceShortKey();
    await expect(openWire(scene.options, { dc: 2 }, anyTime)).rejects.toThrow('unreachable');
  });

  it('[D12] is a key like any other in ours', async () => {
    applyHardening();
    forceShortKey();
    const wire = await openWire(scene.options, { dc: 2 }, anyTime);
    ends.push(() => wire.close());
    expect(wire.key).toHaveLength(256);
    expect(wire.key[0]).toBe(0);
    await expect(wire.introduce(new Api.help.GetNearestDc())).resolves.toMatchObject({ thisDc: 2 });
  });
});

const keyOf = (sessionId: string): Buffer =>
  readLogin(scene.logins.get(sessionId) ?? '')?.keys.get(2) ?? Buffer.alloc(0);
