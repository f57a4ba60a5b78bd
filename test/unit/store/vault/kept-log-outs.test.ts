import { beforeEach, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { openVault, type Vault } from '../../../../src/store/vault/vault.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createFaultyStore, type Fault } from '../../../support/store/faulty-store.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const asIs = (text: string): string => text;
/** A login is its key, a colon and the rest. */
const forLogOut = (login: string, proxy = ''): string | undefined => {
  if (!login.includes(':')) throw new Error('no login');
  return login.startsWith(':') ? undefined : login.slice(0, login.indexOf(':')) + proxy;
};

let clock: DrivenClock;
let disk: MemoryDisk;
let faults: (Fault | undefined)[];
let vault: Vault;

function open(): Vault {
  const randomness = createSeededRandomness(disk.log.length + 1, clock);
  const store = createFaultyStore(createMemoryStore(clock, disk), () => faults.shift());
  return openVault({
    store,
    masterKeys: [Buffer.alloc(32, 7)],
    clock,
    randomness,
    reportUnreadable: allReadable,
    forLogOut,
  });
}

beforeEach(async () => {
  clock = createDrivenClock();
  disk = new MemoryDisk();
  faults = [];
  vault = open();
  await vault.createKey('s1');
});

const streams = (): string[] => [...new Set(disk.log.map(({ stream }) => stream))];

it('[SE3.3] a login that is still stored is kept for 24 hours, as far as a log-out needs it', async () => {
  const sealed = await vault.seal('s1', 'c', 'Ada Lovelace');
  await vault.saveLogin('s1', 'key:Ada Lovelace');
  const until = clock.now() + dayMs;
  expect(await vault.destroyKey('s1')).toBe(until);
  await clock.advance(1_000);
  const next = open();
  expect(await next.listVaults()).toEqual({ ids: ['s1'], unreadable: [] });
  expect(await next.loadLogin('s1', asIs)).toBe('key');
  expect(await next.destroyKey('s1')).toBe(until);
  // The session's own key is gone.
  expect(await next.open('s1', sealed)).toBeUndefined();
  expect(streams()).toEqual(['vault-s1.log-out']);
  expect(JSON.stringify(disk.log[0]?.data)).not.toContain('key"key');
});

it('[LG3.7] the session’s proxy is kept with it, and not replaced later', async () => {
  await vault.saveLogin('s1', 'key:rest');
  await vault.destroyKey('s1', ' by proxy');
  const next = open();
  expect(await next.loadLogin('s1', asIs)).toBe('key by proxy');
  await next.destroyKey('s1', ' by another');
  expect(await next.loadLogin('s1', asIs)).toBe('key by proxy');
  expect(JSON.stringify(disk.log.map(({ data }) => data))).not.toContain('by proxy');
});

it.each<[string, (of: Vault) => Promise<void>]>([
  ['is dropped', (of) => of.dropLogin('s1')],
  ['is given up', (of) => of.giveUpLogOut('s1')],
])('[SE3.3] nothing is left once it %s', async (_, end) => {
  await vault.saveLogin('s1', 'key:rest');
  await vault.destroyKey('s1');
  const next = open();
  await end(next);
  await end(next);
  expect(await next.loadLogin('s1', asIs)).toBeUndefined();
  expect(await next.destroyKey('s1')).toBeUndefined();
  expect(streams()).toEqual([]);
});

it.each(['', ':no key', 'no login'])('[SE3.3] of the login %j nothing is kept', async (login) => {
  vault = openVault({
    store: createMemoryStore(clock, disk),
    masterKeys: [Buffer.alloc(32, 7)],
    clock,
    randomness: createSeededRandomness(9, clock),
    reportUnreadable: () => {},
    forLogOut,
  });
  if (login !== '') await vault.saveLogin('s1', login);
  expect(await vault.destroyKey('s1')).toBeUndefined();
  expect(streams()).toEqual([]);
});

it('[SE3.3] a store that is away in between loses nothing, and keeps it once', async () => {
  await vault.saveLogin('s1', 'key:rest');
  faults.push(...Array.from({ length: 5 }, () => ({ kind: 'fails-after' }) as const));
  const failed = failureOf(vault.destroyKey('s1'));
  await clock.advance(10_000);
  expect(await failed).toBeInstanceOf(StoreUnavailableError);
  expect(streams()).toEqual(['vault-s1', 'vault-s1.log-out']);
  const next = open();
  expect((await next.listVaults()).ids).toEqual(['s1']);
  expect(await next.destroyKey('s1')).toBe(clock.now() - 10_000 + dayMs);
  expect(streams()).toEqual(['vault-s1.log-out']);
});
