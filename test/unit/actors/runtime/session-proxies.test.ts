import { expect, it } from 'vitest';
import { type RecordedEvent, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { ProxyUnusableError } from '../../../../actors/ports/telegram-session.ts';
import { SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import {
  away,
  createWorld,
  deadlinesOf,
  eventsOf,
  liveStates,
  minuteMs,
  sessionIn,
  typesOf,
  type World,
} from '../../../support/actors/sessions-world.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

const url = 'socks5://ann:secret@proxy.example:1080';
const unusable = new ProxyUnusableError('proxy cannot be used: it cannot be reached');
const metadataOf = (event: RecordedEvent | undefined): Record<string, unknown> => Object(event?.metadata);

it.each(liveStates)('[LG3.2] is set in %s: its connections are told, and the deadline stays', async (state) => {
  const world = await createWorld();
  const id = await sessionIn(state, world);
  const before = (await eventsOf(world, id)).at(-1);
  await world.clock.advance(1_000);
  const { position } = await world.sessions.setProxy(id, url);
  const event = (await eventsOf(world, id)).at(-1);
  expect(event).toMatchObject({ type: 'ProxySet', position });
  expect([deadlinesOf(event), metadataOf(event)['reason']]).toEqual([
    deadlinesOf(before),
    metadataOf(before)['reason'],
  ]);
  expect(world.sessions.state(id)).toBe(state);
  expect(world.links.of(id).told.at(-1)).toBe('useProxy');
  expect(await world.links.of(id).readProxy()).toBe(url);
  await world.sessions.setProxy(id, null);
  expect(world.links.of(id).told.slice(-2)).toEqual(['useProxy', 'useProxy']);
  expect(await world.links.of(id).readProxy()).toBe('');
  expect(metadataOf((await eventsOf(world, id)).at(-1))).not.toHaveProperty('proxy');
});

it('[LG3.3] is not recorded if Telegram cannot be reached through it', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  const tried: string[] = [];
  world.links.of(id).proxyTrial = async (given) => {
    tried.push(given);
    throw unusable;
  };
  expect(await failureOf(world.sessions.setProxy(id, url))).toBe(unusable);
  expect(tried).toEqual([url]);
  expect(typesOf(await eventsOf(world, id))).not.toContain('ProxySet');
  expect(world.links.of(id).told).not.toContain('useProxy');
  expect(await world.links.of(id).readProxy()).toBe('');
});

it('[LG3.3] one that is tried while the session is deleted is not set', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  world.links.of(id).proxyTrial = async () => {
    await world.sessions.delete(id);
    throw new Error('the session is closing');
  };
  expect(await failureOf(world.sessions.setProxy(id, url))).toBeInstanceOf(SessionNotFoundError);
});

it('[LG3.4] an append in doubt that was recorded after all is told too', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  world.faults.push(...away('fails-after'));
  const failure = failureOf(world.sessions.setProxy(id, url));
  await world.clock.advance(2_000);
  expect(await failure).toBeInstanceOf(StoreUnavailableError);
  await world.clock.advance(minuteMs);
  expect(world.links.of(id).told.at(-1)).toBe('useProxy');
  expect(await world.links.of(id).readProxy()).toBe(url);
});

it('[LG3.5] stays over a reset, a lost login and restarts', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  await world.sessions.setProxy(id, url);
  await world.links.of(id).report(linkFact('LoginLost', 1));
  await world.sessions.reset(id, {});
  expect(await world.links.of(id).readProxy()).toBe(url);
  const next = await world.restart();
  expect(next.links.of(id).told.at(-1)).toMatch(/startQrLogin \d/);
  expect(await next.links.of(id).readProxy()).toBe(url);
});

it('[LG3.5] a session that waits for a scan still shows its QR code after a restart', async () => {
  const world = await createWorld();
  const id = await sessionIn('qrPending', world);
  await world.sessions.setProxy(id, url);
  const next = await world.restart();
  expect(next.links.of(id).told).toEqual(['startQrLogin 1']);
});

it.each([undefined, { phone: '4915100000001' }])(
  '[LG3.2] a session is created with it, and with the login %j',
  async (login) => {
    const world = await createWorld();
    const read: (string | undefined)[] = [];
    const created = world.sessions.create({}, undefined, login, url);
    while (world.links.all.length === 0) await Promise.resolve();
    const [link] = world.links.all;
    const first = link?.firstLogin;
    if (link !== undefined && first !== undefined) {
      link.firstLogin = async (number, request) => {
        read.push(await link.readProxy());
        return first(number, request);
      };
    }
    const { id } = await created;
    const types = ['SessionCreated', 'ProxySet', ...(login === undefined ? [] : ['CodeSent'])];
    expect(typesOf(await eventsOf(world, id))).toEqual(types);
    expect(link?.told).toEqual([login === undefined ? 'startQrLogin 1' : 'awaitCode 1']);
    expect([...read, await link?.readProxy()]).toEqual(login === undefined ? [url] : [url, url]);
  },
);

it('[LG3.3] no session is created with one that fails', async () => {
  const world = await createWorld();
  world.links.proxyTrial = () => Promise.reject(unusable);
  expect(await failureOf(world.sessions.create({}, undefined, { phone: '4915100000001' }, url))).toBe(unusable);
  await world.clock.advance(minuteMs);
  expect([world.sealer.keys.size, world.links.all.map(({ told }) => told)]).toEqual([0, [['logOut', 'close']]]);
});

it('[LG3.6] the proxy’s failure explains a state that was entered for another reason, and keeps its deadline', async () => {
  const world = await createWorld();
  const id = await sessionIn('disconnected', world);
  const before = (await eventsOf(world, id)).at(-1);
  await world.clock.advance(1_000);
  await world.links.of(id).report(linkFact('ProxyFailed', 1));
  const failed = (await eventsOf(world, id)).at(-1);
  expect(metadataOf(failed)).toMatchObject({ to: 'disconnected', reason: 'proxy-refused', effects: [] });
  expect([deadlinesOf(failed), metadataOf(failed)['since']]).toEqual([
    deadlinesOf(before),
    metadataOf(before)['since'],
  ]);
});

it('[LG3.7] a log-out goes through it as long as it can be read, and then through the one that is kept', async () => {
  const world = await createWorld();
  const id = await sessionIn('connected', world);
  await world.sessions.setProxy(id, url);
  const read: (string | undefined)[] = [];
  const kept: (string | undefined)[] = [];
  const noted = (next: World): void => {
    next.links.whileClosing = async (link) => void read.push(await link.readProxy());
  };
  noted(world);
  const destroy = world.sealer.destroyKey.bind(world.sealer);
  world.sealer.destroyKey = (session, proxy) => {
    kept.push(proxy);
    return destroy(session, proxy);
  };
  world.sealer.keptLogOuts.set(id, world.clock.now() + minuteMs);
  await world.sessions.delete(id);
  await world.clock.settle();
  expect([read, kept]).toEqual([[url], [url]]);
  await world.clock.advance(5_000);
  expect([read.slice(1), kept.slice(1)]).toEqual([[undefined], [undefined]]);
});
