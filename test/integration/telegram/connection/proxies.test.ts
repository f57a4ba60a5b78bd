import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMtprotoConnection } from '../../../../src/telegram/gramjs/connection/mtproto-connection.ts';
import { Route } from '../../../../src/telegram/proxy/route.ts';
import { startHttpProxy } from '../../../support/proxies/http-proxy.ts';
import { anyTime, openScene, type Scene } from '../../../support/telegram/scene.ts';
import { Api } from '../../../support/telegram/stock.ts';
import { type Socks5Server, startSocks5 } from '../../../support/telegram-clients/socks5-server.ts';

const key = '000102030405060708090a0b0c0d0e0f';
const domain = Buffer.from('example.com').toString('hex');
let scene: Scene;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await scene.close();
});

const dial = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket));
    socket.once('error', reject);
  });

async function reach(url: string): Promise<unknown> {
  const deps = { ...scene.options, route: new Route(async () => url, dial) };
  const connection = await openMtprotoConnection(deps, { dc: 2 }, anyTime);
  const answer = await connection.introduce(new Api.help.GetNearestDc());
  await connection.invoke(new Api.help.GetConfig());
  connection.close();
  return answer.thisDc;
}

const mtproxy = async (secret: string): Promise<number> =>
  (await scene.control<{ port: number }>('POST', '/proxies', { secret })).port;

it.each([key, `dd${key}`, `ee${key}${domain}`])(
  '[LG3.1] reaches Telegram through an MTProto proxy: %s',
  async (secret) => {
    const port = await mtproxy(secret);
    for (let round = 0; round < 20; round++)
      expect(await reach(`tg://proxy?server=127.0.0.1&port=${port}&secret=${secret}`)).toBe(2);
  },
);

it.each([
  ['', 'unreachable'],
  ['dd', 'unreachable'],
  ['ee', 'proxy-refused'],
])('[LG3.1] does not get through with a wrong secret: %s', async (kind, error) => {
  const suffix = kind === 'ee' ? domain : '';
  const port = await mtproxy(`${kind}${key}${suffix}`);
  const wrong = `${kind}${'11'.repeat(16)}${suffix}`;
  await expect(reach(`https://t.me/proxy?server=127.0.0.1&port=${port}&secret=${wrong}`)).rejects.toThrow(error);
});

async function socks(options: Parameters<typeof startSocks5>[0] = {}): Promise<Socks5Server> {
  const server = await startSocks5(options);
  closers.push(() => server.close());
  return server;
}

it('[LG3.1] reaches Telegram through SOCKS5', async () => {
  const [open, locked] = [await socks(), await socks({ user: { name: 'ann', password: 'p:@s' } })];
  expect(await reach(`socks5://127.0.0.1:${open.port}`)).toBe(2);
  expect(await reach(`socks5://ann:p%3A%40s@127.0.0.1:${locked.port}`)).toBe(2);
  await expect(reach(`socks5://ann:no@127.0.0.1:${locked.port}`)).rejects.toThrow('proxy-auth-failed');
  await expect(reach(`socks5://127.0.0.1:${locked.port}`)).rejects.toThrow('proxy-auth-failed');
  await expect(reach('socks5://127.0.0.1:1')).rejects.toThrow('proxy-unreachable');
});

it('[LG3.1] reaches Telegram through HTTP CONNECT', async () => {
  const server = await startHttpProxy({ login: 'ann:secret' });
  closers.push(() => server.close());
  expect(await reach(`http://ann:secret@127.0.0.1:${server.port}`)).toBe(2);
  await expect(reach(`http://ann:wrong@127.0.0.1:${server.port}`)).rejects.toThrow('proxy-auth-failed');
});
