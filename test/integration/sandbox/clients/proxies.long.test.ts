import { MtProxyTcpTransport, SocksProxyTcpTransport } from '@mtcute/node';
import { expect, it } from 'vitest';
import { intermediateFraming } from '../../../../sandbox/net/framing.ts';
import { refused, useSandbox } from '../../../support/sandbox/control-client.ts';
import { Api, gramJsClient } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';
import { startSocks5 } from '../../../support/telegram-clients/socks5-server.ts';

// The time stands still: whatever two clients do is within a second.
const on = useSandbox({ clock: { now: () => Date.UTC(2026, 5, 1) } });

const key = '000102030405060708090a0b0c0d0e0f';
const secrets = { plain: key, padded: `dd${key}`, tls: `ee${key}${Buffer.from('example.com').toString('hex')}` };
const openProxy = async (secret: string): Promise<number> => (await on.post('/proxies', { secret })).body.port;

it.each(Object.entries(secrets))(
  'mtcute reaches all data centres through an MTProxy: a %s secret',
  async (_, secret) => {
    const port = await openProxy(secret);
    const client = await mtcuteClient(on.sandbox.protocol, {
      transport: new MtProxyTcpTransport({ host: '127.0.0.1', port, secret }),
    });
    try {
      // Bob lives in data centre 4: the client goes there through the same port.
      await client.start({
        qrCodeHandler: (link) => void on.post('/qr/scan', { link, userId: 1002 }),
        password: 'hunter2',
      });
      expect(await client.getMe()).toMatchObject({ id: 1002 });
      expect((await client.sendText('ann', 'x'.repeat(4_000))).text).toHaveLength(4_000);
    } finally {
      await client.destroy();
    }
  },
);

it.each(['plain', 'padded'] as const)('GramJS connects through an MTProxy: a %s secret', async (kind) => {
  const secret = secrets[kind];
  const proxy = { ip: '127.0.0.1', port: await openProxy(secret), secret, MTProxy: true as const };
  const client = gramJsClient(on.sandbox.protocol, 'mtproxy', undefined, proxy);
  try {
    await client.connect();
    expect(await client.invoke(new Api.help.GetNearestDc())).toMatchObject({ thisDc: 2 });
  } finally {
    await client.destroy();
  }
});

it('an MTProxy understands nobody who does not know its secret', async () => {
  for (const secret of [secrets.plain, secrets.tls]) {
    const port = await openProxy(secret);
    for (const first of [0xee, 0x16, 0x55]) {
      const connection = await RawConnection.open(port, intermediateFraming, Buffer.alloc(1_000, first));
      await connection.ended();
      expect(connection.packets).toEqual([]);
    }
    expect((await on.remove(`/proxies/${port}`)).body).toEqual({ port });
    expect(await on.remove(`/proxies/${port}`)).toEqual(refused(404, 'no proxy listens on this port'));
  }
  expect((await on.post('/proxies', { secret: 'ff'.repeat(20) })).status).toBe(400);
});

it('clients connect through SOCKS5, with a user name and without', async () => {
  const user = { name: 'ann', password: 'secret' };
  const proxies = [await startSocks5(), await startSocks5({ user })] as const;
  const target = `127.0.0.1:${on.sandbox.protocol.ports.get(2)}`;
  for (const [index, proxy] of proxies.entries()) {
    const { port, targets } = proxy;
    const login = index === 0 ? {} : { user: user.name, password: user.password };
    const client = await mtcuteClient(on.sandbox.protocol, {
      transport: new SocksProxyTcpTransport({ host: '127.0.0.1', port, version: 5, ...login }),
    });
    const names = index === 0 ? {} : { username: user.name, password: user.password };
    const other = gramJsClient(on.sandbox.protocol, 'full', undefined, {
      ip: '127.0.0.1',
      port,
      socksType: 5,
      ...names,
    });
    try {
      expect(await client.call({ _: 'help.getNearestDc' })).toMatchObject({ thisDc: 2 });
      await other.connect();
      expect(await other.invoke(new Api.help.GetNearestDc())).toMatchObject({ thisDc: 2 });
      expect(new Set(targets)).toEqual(new Set([target]));
      expect(targets.length).toBeGreaterThan(1);
    } finally {
      await client.destroy();
      await other.destroy();
      await proxy.close();
    }
  }
});

it('two clients with one login end it, if one of them comes from another address', async () => {
  const first = await mtcuteClient(on.sandbox.protocol);
  await first.signInQr({ onUrlUpdated: (link) => void on.post('/qr/scan', { link, userId: 1001 }) });
  const proxy = await startSocks5({ from: '127.0.0.2' });
  const transport = new SocksProxyTcpTransport({ host: '127.0.0.1', port: proxy.port, version: 5 });
  const second = await mtcuteClient(on.sandbox.protocol, { transport });
  try {
    await second.importSession(await first.exportSession());
    await expect(second.getMe()).rejects.toThrow('AUTH_KEY_DUPLICATED');
    await expect(first.getMe()).rejects.toThrow('AUTH_KEY_DUPLICATED');
    expect((await on.get('/accounts/1001/devices')).body).toEqual([]);
  } finally {
    await first.destroy();
    await second.destroy();
    await proxy.close();
  }
});
