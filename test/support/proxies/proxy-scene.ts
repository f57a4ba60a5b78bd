import { bob, type Caller, openScene, type Scene } from '../e2e/scene.ts';
import type { Answer, TestGatewayOptions } from '../gateway/gateway.ts';
import { type Socks5Server, startSocks5 } from '../telegram-clients/socks5-server.ts';
import { startHttpProxy } from './http-proxy.ts';

/** The login of a proxy. */
export const proxyLogin = { name: 'ann', password: 'p4ss-of-proxy' };
export const proxySecret = '000102030405060708090a0b0c0d0e0f';

interface Stats {
  /** Open connections to the data centres. */
  connections: number;
  /** All connections so far. */
  accepted: number;
  /** Logins that have ended because their key was used from two addresses at the same time. */
  duplicatedLogins: number;
}

/** A scene with proxies, each of which Telegram sees at an address of its own. */
export interface ProxyScene extends Scene {
  socks(from?: string, login?: typeof proxyLogin): Promise<Socks5Server & { url: string }>;
  /** An HTTP proxy with {@link proxyLogin}. */
  http(from?: string): Promise<{ url: string; targets: readonly string[] }>;
  /** The link of a sandbox's own MTProto proxy. */
  mtproxy(secret?: string): Promise<string>;
  setProxy(caller: Caller, url: string): Promise<Answer>;
  /** Sends a message. @returns the status */
  say(caller: Caller, text: string): Promise<number>;
  stats(): Promise<Stats>;
}

export async function openProxyScene(options: Pick<TestGatewayOptions, 'logTo'> = {}): Promise<ProxyScene> {
  const scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' }, ...options });
  const closers: (() => Promise<unknown>)[] = [];
  const closeScene = scene.close.bind(scene);
  return Object.assign(scene, {
    async socks(from = '127.0.0.2', login?: typeof proxyLogin) {
      const server = await startSocks5({ from, ...(login && { user: login }) });
      closers.push(() => server.close());
      const credentials = login === undefined ? '' : `${login.name}:${login.password}@`;
      return Object.assign(server, { url: `socks5://${credentials}127.0.0.1:${server.port}` });
    },
    async http(from = '127.0.0.3') {
      const { name, password } = proxyLogin;
      const server = await startHttpProxy({ login: `${name}:${password}`, from });
      closers.push(() => server.close());
      return { url: `http://${name}:${password}@127.0.0.1:${server.port}`, targets: server.targets };
    },
    async mtproxy(secret = proxySecret) {
      const { port } = await scene.sandbox.call<{ port: number }>('POST', '/proxies', { secret });
      return `tg://proxy?server=127.0.0.1&port=${port}&secret=${secret}`;
    },
    setProxy: (caller: Caller, url: string) => scene.request(caller, 'PUT', '/session/proxy', { url }),
    async say(caller: Caller, text: string) {
      const message = { user: bob, type: 'text', text };
      return (await scene.request(caller, 'POST', '/message', message)).status;
    },
    stats: () => scene.sandbox.call<Stats>('GET', '/stats'),
    async close() {
      await closeScene();
      for (const close of closers.splice(0)) await close();
    },
  });
}
