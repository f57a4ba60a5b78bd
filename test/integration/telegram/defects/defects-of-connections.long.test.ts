import { type AddressInfo, createServer, Socket } from 'node:net';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { PromisedNetSockets } from 'telegram/extensions/PromisedNetSockets.js';
import Helpers from 'telegram/Helpers.js';
import { doAuthentication } from 'telegram/network/Authenticator.js';
import { ConnectionTCPFull } from 'telegram/network/connection/TCPFull.js';
import { UpdateConnectionState } from 'telegram/network/index.js';
import { MTProtoPlainSender } from 'telegram/network/MTProtoPlainSender.js';
import { MTProtoState } from 'telegram/network/MTProtoState.js';
import { RequestState } from 'telegram/network/RequestState.js';
import { describe, expect, it, vi } from 'vitest';
import { dhPrimeNumber } from '../../../../sandbox/crypto/dh.ts';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { openMtprotoConnection } from '../../../../src/telegram/gramjs/connection/mtproto-connection.ts';
import { powMod, toBigInt } from '../../../../src/telegram/gramjs/library/arithmetic.ts';
import { applyHardening } from '../../../../src/telegram/gramjs/library/hardening.ts';
import { HardenedSender } from '../../../../src/telegram/gramjs/library/sender.ts';
import { silentLogger } from '../../../../src/telegram/gramjs/library/tcp-connection.ts';
import { TcpSocket } from '../../../../src/telegram/gramjs/library/tcp-socket.ts';
import { self, useDefectScene } from '../../../support/telegram/defect-scene.ts';
import { anyTime, until, watch } from '../../../support/telegram/scene.ts';
import { Api, endStock, updatesOf } from '../../../support/telegram/stock.ts';
import { gramJsClient } from '../../../support/telegram-clients/gramjs.ts';

const given = useDefectScene();

describe('D1: an error inside a container', () => {
  const askThreeAtOnce = async (
    ask: (request: Api.AnyRequest) => Promise<unknown>,
  ): Promise<ReturnType<typeof watch>[]> => {
    await given.scene.control('POST', '/chaos', { batchAnswers: 20 });
    const bad = watch(ask(new Api.contacts.ResolveUsername({ username: 'nobody_at_all' })));
    const good = [watch(ask(self())), watch(ask(self()))];
    await until(() => bad.settled === 'rejected');
    await given.scene.control('POST', '/chaos', { batchAnswers: 0 });
    // Whatever was in that container has been handled once a later request is answered.
    await ask(new Api.updates.GetState());
    return good;
  };

  it('[D1] takes all later answers of the container with it in GramJS', async () => {
    const client = await given.stock('1001');
    const good = await askThreeAtOnce((request) => client.invoke(request));
    expect(good.map(({ settled }) => settled)).toEqual(['no', 'no']);
  });

  it('[D1] harms nobody else in ours', async () => {
    const link = await given.scene.loggedIn('d1', '1001');
    const good = await Promise.all([
      link
        .account()
        .byUsername('nobody_at_all', anyTime)
        .catch(() => 'nobody'),
      link.account().byUsername('bob', anyTime),
      link.account().byUsername('makers', anyTime),
    ]);
    expect(good).toMatchObject(['nobody', { id: '1002' }, { id: '-1003001' }]);
    const wire = await openMtprotoConnection(given.scene.options, { dc: 2, key: given.keyOf('d1') }, anyTime);
    given.ends.push(() => wire.close());
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
    given.ends.push(applyHardening);
    await expect(read([unknown, known])).rejects.toThrow('Could not find a matching Constructor ID');
  });

  it('means in ours that there is something to ask for', async () => {
    applyHardening();
    const messages = await read([unknown, known]);
    expect(messages).toMatchObject([{ className: 'UpdatesTooLong' }, { className: 'UpdateShort' }]);
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
    given.ends.push(() => void server.close());
    return { port: (server.address() as AddressInfo).port, attempts: () => attempts };
  };

  it('[D3] is tried for ever by GramJS, even after it was told to stop', async () => {
    const { port, attempts } = await hangUp();
    const client = gramJsClient({ ...given.scene.sandbox.protocol, ports: new Map([[2, port]]) }, 'full');
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
    await given.scene.loggedIn('d3', '1001');
    await given.scene.telegram.close();
    const network = { ...given.scene.options.network, dcs: [{ id: 2, host: '127.0.0.1', port }] };
    const { createTelegram } = await import('../../../../src/telegram/gramjs/telegram.ts');
    const dialler = new Dialler(new DcAddresses(given.scene.clock, network.dcs));
    const telegram = createTelegram({ ...given.scene.options, network, dialler });
    const link = telegram.createTelegramSession('d3', async () => undefined);
    link.connect(1);
    await until(() => attempts() > 0);
    await link.close();
    expect(given.scene.clock.armed()).toBe(0);
    const before = attempts();
    await given.scene.clock.advance(10 * 60_000);
    expect(attempts()).toBe(before);
  });
});

describe('D4: timers of a client that is done', () => {
  it('[D4] go on pinging in GramJS', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    given.ends.push(() => vi.useRealTimers());
    const client = gramJsClient(given.scene.sandbox.protocol, 'full');
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
    await given.reopen();
    const link = await given.scene.loggedIn('d4', '1001');
    expect(given.scene.clock.armed()).toBeGreaterThan(0);
    await link.close();
    expect(given.scene.clock.armed()).toBe(0);
    await until(() => given.scene.sandbox.protocol.stats().connections === 0);
  });
});

it('an acknowledgement that could not leave any more is nobody’s error', async () => {
  const sender = new HardenedSender(undefined, 2, { heard() {}, update() {}, broken() {}, transportError() {} });
  const waiting = sender as unknown as { _sendQueue: { append(state: RequestState): void } };
  waiting._sendQueue.append(new RequestState(new Api.MsgsAck({ msgIds: [] })));
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  sender.rejectPending(new Error('connection-closed'));
  await new Promise((resolve) => void setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(seen).toEqual([]);
});

it('a message that Telegram calls bad is sent again over another connection', async () => {
  const link = await given.scene.loggedIn('bad', '1001');
  // Even, as if nothing were to be acknowledged: 35.
  type Numbered = { _sequence: number; _getSeqNo(isContent: boolean): number };
  const numbering = vi.spyOn(MTProtoState.prototype as unknown as Numbered, '_getSeqNo');
  numbering.mockImplementationOnce(function even(this: Numbered) {
    return this._sequence * 2;
  });
  const asking = watch(link.account().byUsername('bob', anyTime));
  await until(async () => {
    await given.scene.live(1_000);
    return asking.settled !== 'no';
  });
  numbering.mockRestore();
  expect(asking.error).toBeUndefined();
});

describe('D6: a key that the server has forgotten', () => {
  it('[D6] leaves GramJS connected to nothing', async () => {
    const client = await given.stock('1001');
    const updates = updatesOf(client);
    await client.getMe();
    await given.scene.control('POST', '/chaos', { forgetKey: true });
    const asking = watch(client.getMe());
    await until(() => updates.some((update) => update instanceof UpdateConnectionState && update.state === 0));
    expect(client.connected).toBe(true);
    expect(asking.settled).toBe('no');
  });

  it('[D6] [SE9.1] is a lost login in ours, told once', async () => {
    const link = await given.scene.loggedIn('d6', '1001');
    await given.scene.control('POST', '/chaos', { forgetKey: true });
    await until(async () => {
      await given.scene.clock.advance(500);
      return link.facts.some(({ type }) => type === 'LoginLost');
    });
    await given.scene.clock.advance(60_000);
    expect(link.facts.filter(({ type }) => type === 'LoginLost')).toEqual([
      { type: 'LoginLost', login: 1, reason: 'AUTH_KEY_INVALID' },
    ]);
    expect(given.scene.telegram.accounts.get('d6')).toBeUndefined();
  });
});

describe('D8: connections for files', () => {
  const connections = (): number => given.scene.sandbox.protocol.stats().connections;

  it('[D8] outlive the client in GramJS', async () => {
    const client = await given.stock('1001');
    await client.getSender(client.session.dcId);
    const open = connections();
    expect(open).toBeGreaterThan(1);
    await client.destroy();
    await until(() => connections() < open);
    await client.getSender(1).catch(() => undefined);
    expect(connections()).toBeGreaterThan(0);
  });

  // Ours: `file-connections.test.ts`.
});

describe('D11: small packets', () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
  const port = (): number => given.scene.sandbox.protocol.ports.get(2) ?? 0;

  it('[D11] wait for one another in GramJS', async () => {
    const client = gramJsClient(given.scene.sandbox.protocol, 'full');
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
    const read = Api.ServerDHInnerData.fromReader.bind(Api.ServerDHInnerData);
    const random = Helpers.generateRandomBytes;
    let serverHalf: bigint | undefined;
    const readSpy = vi.spyOn(Api.ServerDHInnerData, 'fromReader').mockImplementation((reader) => {
      const inner = read(reader);
      serverHalf = toBigInt(Buffer.from(inner.gA));
      return inner;
    });
    const randomSpy = vi.spyOn(Helpers, 'generateRandomBytes').mockImplementation((count) => {
      if (count !== 256 || serverHalf === undefined) return random(count);
      for (;;) {
        const secret = Buffer.concat([Buffer.alloc(1), random(255)]);
        if (powMod(serverHalf, toBigInt(secret), dhPrimeNumber) >> 2040n === 0n) return secret;
      }
    });
    given.ends.push(() => {
      readSpy.mockRestore();
      randomSpy.mockRestore();
    });
  };

  it('[D12] breaks the handshake in GramJS', async () => {
    applyHardening()();
    given.ends.push(applyHardening);
    forceShortKey();
    const port = given.scene.sandbox.protocol.ports.get(2) ?? 0;
    const connection = new ConnectionTCPFull({
      ip: '127.0.0.1',
      port,
      dcId: 2,
      loggers: silentLogger,
      testServers: false,
      socket: PromisedNetSockets,
    });
    await connection.connect();
    given.ends.push(() => connection.disconnect());
    const exchange = doAuthentication(new MTProtoPlainSender(connection, silentLogger), silentLogger);
    await expect(exchange).rejects.toThrow('new nonce hash');
  });

  it('[D12] is a key like any other in ours', async () => {
    applyHardening();
    forceShortKey();
    const wire = await openMtprotoConnection(given.scene.options, { dc: 2 }, anyTime);
    given.ends.push(() => wire.close());
    expect(wire.key).toHaveLength(256);
    expect(wire.key[0]).toBe(0);
    await expect(wire.introduce(new Api.help.GetNearestDc())).resolves.toMatchObject({ thisDc: 2 });
  });
});
