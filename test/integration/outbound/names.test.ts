import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';
import { type SmallInternet, startSmallInternet } from '../../support/outbound/small-internet.ts';

const site = '93.184.216.34';
const otherSite = '2606:2800:220:1:248:1893:25c8:1946';

let clock: DrivenClock;
let decoy: WebServer;
let server: WebServer;
let internet: SmallInternet;
let outbound: Outbound;
let folder: TemporaryFolder;
let seen: { host: string | undefined; path: string | undefined; authorization: string | undefined }[];
let redirects: Record<string, string>;
/** What each name says, one answer after the other; the last one stays. */
let names: Record<string, string[][]>;
let lookups: string[];

beforeEach(async () => {
  seen = [];
  redirects = {};
  lookups = [];
  names = { 'site.test': [[site]], 'other.test': [[otherSite]] };
  clock = createDrivenClock();
  decoy = await startWebServer((_request, response) => response.end('secret'));
  server = await startWebServer(({ url = '', headers }, response) => {
    seen.push({ host: headers.host, path: url, authorization: headers.authorization });
    const location = redirects[url];
    if (location === undefined) response.end('a file');
    else response.writeHead(302, { location }).end('moved');
  });
  internet = startSmallInternet({ [site]: server.port, [otherSite]: server.port }, [decoy.port]);
  outbound = createOutbound({
    clock,
    allowPrivate: false,
    resolve: (name) => {
      lookups.push(name);
      const answers = names[name] ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(answer);
    },
  });
  folder = await createTemporaryFolder();
});

afterEach(async () => {
  internet.end();
  await outbound.close();
  await server.close();
  await decoy.close();
  await folder.remove();
  if (decoy.connections > 0) throw new Error('the decoy was reached');
  if (clock.armed() > 0) throw new Error('something still waits');
});

const download = (url: string): Promise<unknown> =>
  outbound.download(url, join(folder.path, 'file'), { sessionId: 'one', maxBytes: 1000 });
const post = (url: string): Promise<unknown> =>
  outbound.post(url, { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 });

it('[SR1.1] a public name is fetched from the address that was checked, under its own name', async () => {
  await expect(download('http://site.test:8080/a?b=c#d')).resolves.toEqual({
    path: join(folder.path, 'file'),
    size: 6,
  });
  expect(await readFile(join(folder.path, 'file'), 'utf8')).toBe('a file');
  expect(internet.dialled).toEqual([`${site}:8080`]);
  expect(seen).toEqual([{ host: 'site.test:8080', path: '/a?b=c', authorization: undefined }]);
});

it.each([
  [`http://${site}:81/`, `${site}:81`],
  [`http://[${otherSite}]:82/`, `${otherSite}:82`],
  [`http://[::ffff:${site}]/`, `${site}:80`],
])('[SR1.1] the public address in %s is connected to as it is, and never looked up', async (url, dialled) => {
  await download(url);
  expect(internet.dialled).toEqual([dialled]);
  expect(lookups).toEqual([]);
});

it.each([
  ['localhost', ['127.0.0.1']],
  ['localhost', ['::1']],
  ['localhost.', ['127.0.0.1', '::1']],
  ['printer.local', ['fe80::1']],
  ['printer.local', ['fe80::1%eth0']],
  ['127.0.0.1.nip.test', ['127.0.0.1']],
  ['metadata.google.internal', ['169.254.169.254']],
  ['mixed.test', [site, '127.0.0.1']],
  ['mixed.test', ['10.0.0.1', site]],
  ['mixed.test', [otherSite, site, '::ffff:127.0.0.1']],
  ['mapped.test', ['::ffff:10.0.0.1']],
  ['translated.test', ['64:ff9b::a00:1']],
  ['garbage.test', ['not an address']],
])('[SR1.1] %s that resolves to %j is refused', async (name, addresses) => {
  names[name] = [addresses];
  for (const url of [`http://${name}:${decoy.port}/`, `https://${name}:${decoy.port}/`]) {
    await expect(download(url)).rejects.toThrow(/^its address is not public$/);
    await expect(post(url)).rejects.toThrow(/^its address is not public$/);
  }
  expect(internet.dialled).toEqual([]);
});

it('[SR1.1] a name that changes its mind between the check and the connection is asked once', async () => {
  names['rebound.test'] = [[site], ['127.0.0.1']];
  await download(`http://rebound.test:${decoy.port}/`);
  expect(lookups).toEqual(['rebound.test']);
  expect(internet.dialled).toEqual([`${site}:${decoy.port}`]);
});

it('[SR1.2] a name that changes its mind between two hops is refused at the second', async () => {
  names['rebound.test'] = [[site], ['127.0.0.1']];
  redirects['/'] = `http://rebound.test:${decoy.port}/again`;
  names['start.test'] = [[site]];
  redirects['/again'] = `http://rebound.test:${decoy.port + 1}/third`;
  await expect(download('http://start.test/')).rejects.toThrow(/^its address is not public$/);
  expect(lookups).toEqual(['start.test', 'rebound.test', 'rebound.test']);
});

it('[SR1.1] a name that does not resolve says so', async () => {
  await expect(download('http://nowhere.test/')).rejects.toThrow(/^its name could not be resolved$/);
  names['empty.test'] = [[]];
  await expect(download('http://empty.test/')).rejects.toThrow(/^its name could not be resolved$/);
});

it('[SR1.3] a name that never resolves, or an address that never answers, is given up after 10 s', async () => {
  const asleep = createOutbound({ clock, allowPrivate: false, resolve: () => new Promise(() => {}) });
  const outcome = asleep.download('http://asleep.test/', join(folder.path, 'x'), { sessionId: 'one', maxBytes: 1 });
  outcome.catch(() => {});
  await clock.advance(9_999);
  expect(clock.armed()).toBeGreaterThan(0);
  await clock.advance(1);
  await expect(outcome).rejects.toThrow(/^connecting took too long$/);
  await asleep.close();
});

it('[SR1.1] the next address is tried where one is not reachable', async () => {
  names['two.test'] = [['93.184.216.99', site]];
  await download('http://two.test/');
  expect(internet.dialled).toEqual(['93.184.216.99:80', `${site}:80`]);
});

it('[SR1.2] three redirects are followed, a fourth is not', async () => {
  Object.assign(redirects, { '/1': '/2', '/2': 'http://other.test/3', '/3': '//site.test/4' });
  await expect(download('http://site.test/1')).resolves.toMatchObject({ size: 6 });
  expect(seen.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4']);
  redirects['/4'] = '/5';
  await expect(download('http://site.test/1')).rejects.toThrow(/^it redirects too often$/);
  expect(seen.some(({ path }) => path === '/5')).toBe(false);
});

it.each([
  'http://127.0.0.1:PORT/',
  'http://[::1]:PORT/',
  'http://2130706433:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  '//127.1:PORT/',
  'https://localhost:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/',
  'http://',
])('[SR1.2] a redirect to %s is refused', async (location) => {
  names['localhost'] = [['127.0.0.1']];
  redirects['/'] = location.replace('PORT', String(decoy.port));
  await expect(download('http://site.test/')).rejects.toThrow(
    /^(?:its address is not public|http or https is expected|it is not a valid url)$/,
  );
  expect(internet.dialled).toEqual([`${site}:80`]);
});

it('[WH4.5] a webhook follows no redirect: it is the answer', async () => {
  redirects['/hook'] = `http://127.0.0.1:${decoy.port}/`;
  await expect(post('http://site.test/hook')).resolves.toEqual({ status: 302, retryAfter: undefined });
  expect(seen).toHaveLength(1);
});

it('[SR1.4] a login in a URL goes to its own server, and not along to another', async () => {
  Object.assign(redirects, { '/1': '/2', '/2': 'http://other.test/3' });
  await download('http://ann:p%40ss@site.test/1');
  const login = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(seen.map(({ authorization }) => authorization)).toEqual([login, login, undefined]);
  await post('http://ann:100%@site.test/hook');
  expect(seen.at(-1)?.authorization).toBe(`Basic ${Buffer.from('ann:100%').toString('base64')}`);
});
