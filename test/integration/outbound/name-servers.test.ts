import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createNames, type NamesOptions, type Resolve } from '../../../src/outbound/names.ts';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';
import { type NameServer, startNameServer } from '../../support/outbound/name-server.ts';

let clock: DrivenClock;
let folder: TemporaryFolder;
let server: WebServer;
let nameServer: NameServer;
let outbound: Outbound;

const records = {
  'here.test': { a: ['127.0.0.1'] },
  'both.test': {
    a: ['192.0.2.1', '192.0.2.2'],
    aaaa: ['2001:db8:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:2', '2001:db8:0:0:0:0:0:3'],
  },
  'six.test': { aaaa: ['2001:db8:0:0:0:0:0:1'] },
  'none.test': [] as [],
  'empty.test': {},
  short: [] as [],
  'short.first.test': [] as [],
  'short.second.test': { a: ['192.0.2.9'] },
  'a.b': { a: ['192.0.2.8'] },
  'a.b.first.test': { a: ['192.0.2.7'] },
};

beforeEach(async () => {
  clock = createDrivenClock();
  folder = await createTemporaryFolder();
  server = await startWebServer((_request, response) => response.end('a file'));
  nameServer = await startNameServer(records);
  outbound = createOutbound({ clock, allowPrivate: true, resolve: names() });
});

afterEach(async () => {
  await outbound.close();
  await nameServer.close();
  await server.close();
  await folder.remove();
  if (clock.armed() > 0) throw new Error('something still waits');
});

const nowhere = '/nowhere/to/be/found';
const names = (options: NamesOptions = {}): Resolve =>
  createNames({ servers: [nameServer.address], hostsFile: nowhere, resolvConf: nowhere, ...options });
const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
};
const lookUp = (name: string, options?: NamesOptions): Promise<readonly string[]> =>
  names(options)(name, new LightAbort());

let files = 0;
function download(sessionId: string, name: string): Promise<unknown> {
  const url = `http://${name}:${server.port}/`;
  const outcome = outbound.download(url, join(folder.path, `file${files++}`), { sessionId, maxBytes: 100 });
  outcome.catch(() => {});
  return outcome;
}
const post = (sessionId: string, name: string, of?: string): Promise<unknown> => {
  const options = { sessionId, of, body: '{}', headers: {}, timeoutMs: 60_000 };
  const outcome = outbound.post(`http://${name}:${server.port}/`, options);
  outcome.catch(() => {});
  return outcome;
};

it('[NB1.4] names whose server never answers delay their own session alone, two at a time', async () => {
  const slow = [1, 2, 3, 4].map((number) => download('slow', `silent${number}.test`));
  const slowHook = post('slow', 'silent5.test');
  await expect.poll(() => nameServer.asked.length).toBe(2);
  await expect(download('quick', 'here.test')).resolves.toMatchObject({ size: 6 });
  await expect(post('quick', 'here.test')).resolves.toMatchObject({ status: 200 });
  await clock.advance(5_000);
  const own = download('slow', 'here.test');
  expect(nameServer.asked.toSorted()).toEqual(['here.test', 'silent1.test', 'silent2.test']);
  await clock.advance(5_000);
  for (const outcome of [...slow, slowHook]) await expect(outcome).rejects.toThrow(/^connecting took too long$/);
  await expect(own).resolves.toMatchObject({ size: 6 });
});

it('[EV2.5] webhooks of a session share its two look-ups: one whose name server never answers delays no other', async () => {
  const dead = [1, 2, 3].map((number) => post('slow', `silent${number}.test`, '1'));
  await expect.poll(() => nameServer.asked).toEqual(['silent1.test']);
  for (const of of ['2', '3', '4']) await expect(post('slow', 'here.test', of)).resolves.toMatchObject({ status: 200 });
  const second = post('slow', 'silent4.test', '2');
  await expect.poll(() => nameServer.asked.includes('silent4.test')).toBe(true);
  await clock.advance(5_000);
  const third = post('slow', 'here.test', '3');
  await clock.advance(5_000);
  for (const outcome of [...dead, second]) await expect(outcome).rejects.toThrow(/^connecting took too long$/);
  await expect(third).resolves.toMatchObject({ status: 200 });
});

it('[NB1.4] a look-up whose send has ended makes room for the next of its session', async () => {
  const stop = new LightAbort();
  const path = join(folder.path, 'stopped');
  const left = [1, 2].map((number) => {
    const url = `http://silent${number}.test/`;
    return outbound.download(url, path + String(number), { sessionId: 'slow', maxBytes: 1, signal: stop });
  });
  for (const outcome of left) outcome.catch(() => {});
  await expect.poll(() => nameServer.asked.length).toBe(2);
  await clock.advance(5_000);
  const next = download('slow', 'here.test');
  stop.abort(new Error('left'));
  for (const outcome of left) await expect(outcome).rejects.toThrow(/^left$/);
  await clock.advance(5_000);
  await expect(next).resolves.toMatchObject({ size: 6 });
});

it('[NB1.2] more names of a session than may wait are refused, and no other session is', async () => {
  const waiting = Array.from({ length: 66 }, (_, number) => post('slow', `silent${number}.test`));
  await turn();
  await expect(download('slow', 'here.test')).rejects.toThrow(
    /^too many look-ups of names of this session are waiting$/,
  );
  await expect(download('quick', 'here.test')).resolves.toMatchObject({ size: 6 });
  await clock.advance(10_000);
  await Promise.allSettled(waiting);
});

it('[SR1.5] addresses come in turns of both kinds, IPv4 first', async () => {
  await expect(lookUp('both.test')).resolves.toEqual([
    '192.0.2.1',
    '2001:db8::1',
    '192.0.2.2',
    '2001:db8::2',
    '2001:db8::3',
  ]);
  await expect(lookUp('six.test')).resolves.toEqual(['2001:db8::1']);
});

it.each(['none.test', 'empty.test'])('[SR1.5] %s has no address', async (name) => {
  await expect(lookUp(name)).resolves.toEqual([]);
  await expect(download('one', name)).rejects.toThrow(/^its name could not be resolved$/);
});

it('[SR1.5] the hosts file comes first, and is read anew each time', async () => {
  const hostsFile = await file(
    'hosts',
    '# 10.0.0.9 here.test\n10.0.0.1\tother.test Here.Test # here.test\n::1 here.test\nnothing here.test\n',
  );
  await expect(lookUp('here.test', { hostsFile })).resolves.toEqual(['10.0.0.1', '::1']);
  await expect(lookUp('HERE.test.', { hostsFile })).resolves.toEqual(['10.0.0.1', '::1']);
  await writeFile(hostsFile, `${await readFile(hostsFile, 'utf8')}10.0.0.2 here.test`);
  await expect(lookUp('here.test', { hostsFile })).resolves.toEqual(['10.0.0.1', '::1', '10.0.0.2']);
  expect(nameServer.asked).toEqual([]);
});

it('[SR1.5] localhost is this machine, and no name server is asked', async () => {
  for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
    await expect(lookUp(name)).resolves.toEqual(['127.0.0.1', '::1']);
  }
  const hostsFile = await file('hosts', '127.0.0.1 localhost');
  await expect(lookUp('localhost', { hostsFile })).resolves.toEqual(['127.0.0.1']);
  expect(nameServer.asked).toEqual([]);
});

it('[SR1.5] short names are searched in the domains of resolv.conf', async () => {
  const resolvConf = await file('resolv.conf', 'search first.test second.test # mine\noptions timeout:1\n');
  await expect(lookUp('short', { resolvConf })).resolves.toEqual(['192.0.2.9']);
  expect(nameServer.asked).toEqual(['short.first.test', 'short.second.test']);
  await expect(lookUp('a.b', { resolvConf })).resolves.toEqual(['192.0.2.8']);
  const many = await file('many', 'options ndots:2 rotate\nsearch second.test\nsearch first.test\n');
  await expect(lookUp('a.b', { resolvConf: many })).resolves.toEqual(['192.0.2.7']);
  await expect(lookUp('a.b.', { resolvConf: many })).resolves.toEqual(['192.0.2.8']);
  await expect(lookUp('none.test', { resolvConf: await file('plain', 'nameserver 127.0.0.1\n') })).resolves.toEqual([]);
});

it('[SR1.5] a look-up ends with its signal', async () => {
  const stop = new LightAbort();
  const outcome = names()('silent.test', stop);
  outcome.catch(() => {});
  await expect.poll(() => nameServer.asked.length).toBe(1);
  stop.abort(new Error('left'));
  await expect(outcome).rejects.toMatchObject({ code: 'ECANCELLED' });
});
