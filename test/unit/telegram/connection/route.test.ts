import { beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { ProxyError } from '../../../../src/telegram/proxy/proxy-error.ts';
import { Route, type Routed, type Way } from '../../../../src/telegram/proxy/route.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

const addresses = [1, 2, 3].map((number) => ({ id: 2, host: `192.0.2.${number}`, port: 443 }));
const anyTime = new LightAbort();
const noDial = (): never => {
  throw new Error('nothing is dialled');
};
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

let url: string;
let route: Route;
let log: string[];
beforeEach(() => {
  url = 'socks5://a';
  log = [];
  route = new Route(async () => url, noDial);
});

interface Connection extends Routed {
  readonly way: Way | undefined;
  end(): void;
}

function connection(name: string, way: Way | undefined): Connection {
  let end = (): void => {};
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  log.push(`open ${name} by ${way === undefined ? 'itself' : way.proxy.host}`);
  return {
    way,
    gone,
    end,
    retire: () => {
      log.push(`retire ${name}`);
      return gone;
    },
  };
}
const take = (name: string): Promise<Connection> => route.take(addresses, anyTime, (way) => connection(name, way));

it('[LG3.9] opens no connection before all of the former way are closed', async () => {
  const [first, second] = [await take('1'), await take('2')];
  const over = await take('3');
  over.end();
  await turn();
  url = '';
  route.change();
  const next = take('4');
  await turn();
  first.end();
  await turn();
  expect(log.slice(3)).toEqual(['retire 1', 'retire 2']);
  second.end();
  await next;
  expect(log.slice(5)).toEqual(['open 4 by itself']);
});

it('[LG3.9] reads the way again if it changed while it was read', async () => {
  let release = (): void => {};
  let reads = 0;
  route = new Route(async () => {
    reads += 1;
    const read = url;
    if (reads === 1) {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    return read;
  }, noDial);
  const taken = take('1');
  await turn();
  url = 'socks5://b';
  route.change();
  release();
  await taken;
  expect(log).toEqual(['open 1 by b']);
  expect(route.url).toBe('socks5://b');
});

it('[LG3.4] opens nothing if the way cannot be read, or is none that is known', async () => {
  url = 'gopher://a';
  expect(await failureOf(take('1'))).toMatchObject({ message: 'the proxy has an unknown form' });
  route = new Route(() => Promise.reject(new Error('the store is away')), noDial);
  expect(await failureOf(take('2'))).toMatchObject({ message: 'the store is away' });
  expect(log).toEqual([]);
});

it('[LG3.4] tries the next address only if the proxy itself answers', async () => {
  const host = async (end: (way: Way) => void): Promise<string | undefined> => {
    const { way } = await take('');
    if (way !== undefined) end(way);
    return way?.attempt.address.host;
  };
  expect(await host((way) => way.failed(new ProxyError('proxy-unreachable')))).toBe('192.0.2.1');
  expect(await host((way) => way.failed(new ProxyError('proxy-auth-failed')))).toBe('192.0.2.1');
  expect(await host((way) => way.failed(new ProxyError('proxy-refused')))).toBe('192.0.2.1');
  expect(
    await host(({ attempt }) => {
      attempt.answered();
      attempt.silent();
    }),
  ).toBe('192.0.2.2');
  expect(await host(({ attempt }) => attempt.silent())).toBe('192.0.2.2');
  expect(await host(({ attempt }) => attempt.refused())).toBe('192.0.2.3');
  expect(await host(({ attempt }) => attempt.refused())).toBe('192.0.2.1');
});

it('[LG3.3] goes another way for itself', async () => {
  const other = route.through('socks5://b');
  await other.take(addresses, anyTime, (way) => connection('trial', way));
  route.change();
  expect([log, route.url]).toEqual([['open trial by b'], '']);
});
