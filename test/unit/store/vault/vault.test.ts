import { beforeEach, describe, expect, it } from 'vitest';
import { type ReportUnreadable, type Unreadable, UnreadableEventError } from '../../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { BrokenSealError, KeyDestroyedError, type Sealed } from '../../../../actors/ports/sealer.ts';
import { MasterKeyMissingError } from '../../../../src/store/vault/key-ring.ts';
import { contextOf } from '../../../../src/store/vault/sealing.ts';
import { openVault, type Vault } from '../../../../src/store/vault/vault.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createFaultyStore, type Fault } from '../../../support/store/faulty-store.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
const randomness = createSeededRandomness(1, clock);
const masterKey = randomness.bytes(32);

let disk: MemoryDisk;
let store: EventStore;
let vault: Vault;
let unreadable: Unreadable[];

const reportUnreadable: ReportUnreadable = (event) => unreadable.push(event);
const asIs = (text: string): string => text;

beforeEach(() => {
  disk = new MemoryDisk();
  unreadable = [];
  store = createMemoryStore(clock, disk);
  vault = openVault({ store, masterKeys: [masterKey], clock, randomness, reportUnreadable });
});

/** The same data, seen by a process that has nothing in memory. */
const afterRestart = (masterKeys = [masterKey]): Vault =>
  openVault({ store: createMemoryStore(clock, disk), masterKeys, clock, randomness, reportUnreadable });

describe('fingerprints', () => {
  it('[MS7.5] are equal for equal texts of a session, after a restart too, and for no others', async () => {
    await Promise.all([vault.createKey('s1'), vault.createKey('s2')]);
    const made = await vault.fingerprint('s1', 'text');
    expect(made).toHaveLength(32);
    expect(await afterRestart().fingerprint('s1', 'text')).toEqual(made);
    expect(await vault.fingerprint('s1', 'texts')).not.toEqual(made);
    expect(await vault.fingerprint('s2', 'text')).not.toEqual(made);
  });

  it('[SE11.2] cannot be made any more once the key is destroyed', async () => {
    await vault.createKey('s1');
    await vault.destroyKey('s1');
    await expect(vault.fingerprint('s1', 'text')).rejects.toThrow(KeyDestroyedError);
  });
});

describe('sealed texts', () => {
  it('[SE11.1] open to what was sealed, also after a restart', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'event-1', 'Grüße +49 170 🎈');
    expect(await vault.open('s1', sealed)).toBe('Grüße +49 170 🎈');
    expect(await afterRestart().open('s1', sealed)).toBe('Grüße +49 170 🎈');
    expect(contextOf(sealed)).toBe('event-1');
  });

  it('[SE11.1] show nothing of the text, and never look the same twice', async () => {
    await vault.createKey('s1');
    const [one, two] = await Promise.all([vault.seal('s1', 'c', 'marker'), vault.seal('s1', 'c', 'marker')]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^v1(\.[\w-]+){3}$/);
    expect(one).not.toContain(Buffer.from('marker').toString('base64url'));
  });

  it('[SE11.1] open at once where the key is at hand', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'c', 'text');
    const fresh = afterRestart();
    expect(fresh.openCached('s1', sealed)).toBeUndefined();
    await fresh.open('s1', sealed);
    expect(fresh.openCached('s1', sealed)).toBe('text');
  });

  it('[SE11.1] do not open when anything of them was changed, and the error says nothing of the text', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'event-1', 'marker-of-the-text');
    const parts = sealed.split('.');
    const flip = (part: string): string => (part.startsWith('A') ? `B${part.slice(1)}` : `A${part.slice(1)}`);
    const forged = [1, 2, 3].map((at) => parts.map((part, index) => (index === at ? flip(part) : part)).join('.'));
    for (const text of [...forged, sealed.slice(0, -3), `${sealed}.AAAA`, sealed.replace('v1', 'v2'), '', 'v1...']) {
      const error: unknown = await vault.open('s1', text as Sealed).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BrokenSealError);
      expect(String(error)).not.toContain('marker');
    }
  });

  it('[SE11.1] do not open for another session, even under the same key', async () => {
    await Promise.all([vault.createKey('s1'), vault.createKey('s2')]);
    const sealed = await vault.seal('s1', 'c', 'text');
    await expect(vault.open('s2', sealed)).rejects.toThrow(BrokenSealError);
  });
});

describe('keys', () => {
  it('[SE11.1] are in the store only wrapped', async () => {
    await vault.createKey('s1');
    const event = await store.last('vault-s1');
    expect(event).toMatchObject({ type: 'KeyCreated', data: { key: expect.stringMatching(/^v1\./), login: null } });
    await expect(afterRestart([randomness.bytes(32)]).seal('s1', 'c', 'text')).rejects.toThrow(MasterKeyMissingError);
  });

  it('[SE11.1] survive the replacement of the master key, and are wrapped by the new one with the next save', async () => {
    await vault.createKey('s1');
    await vault.saveLogin('s1', 'login');
    const sealed = await vault.seal('s1', 'c', 'text');
    const newKey = randomness.bytes(32);
    const rotated = afterRestart([newKey, masterKey]);
    expect(await rotated.open('s1', sealed)).toBe('text');
    await rotated.saveLogin('s1', 'login 2');
    const withoutOld = afterRestart([newKey]);
    expect(await withoutOld.open('s1', sealed)).toBe('text');
    expect(await withoutOld.loadLogin('s1', asIs)).toBe('login 2');
  });

  it('[SE11.1] are made once, however often that is asked', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'c', 'text');
    await vault.createKey('s1');
    await afterRestart().createKey('s1');
    expect(await vault.open('s1', sealed)).toBe('text');
  });

  it('[SE11.2] are gone when destroyed: nothing opens, nothing is sealed or saved again', async () => {
    await vault.createKey('s1');
    await vault.saveLogin('s1', 'login');
    const sealed = await vault.seal('s1', 'c', 'text');
    await vault.destroyKey('s1');
    for (const each of [vault, afterRestart()]) {
      expect(await each.open('s1', sealed)).toBeUndefined();
      expect(each.openCached('s1', sealed)).toBeUndefined();
      await expect(each.seal('s1', 'c', 'text')).rejects.toThrow(KeyDestroyedError);
      await expect(each.saveLogin('s1', 'login')).rejects.toThrow(KeyDestroyedError);
      expect(await each.loadLogin('s1', asIs)).toBeUndefined();
      await each.dropLogin('s1');
      await each.destroyKey('s1');
    }
    expect(await store.last('vault-s1')).toBeUndefined();
  });

  it('[SE11.2] stay destroyed whatever is under way at that moment', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'c', 'text');
    const fresh = afterRestart();
    const outcomes = await Promise.allSettled([
      fresh.open('s1', sealed),
      fresh.saveLogin('s1', 'before'),
      fresh.destroyKey('s1'),
      fresh.open('s1', sealed),
      fresh.seal('s1', 'c', 'text'),
      fresh.saveLogin('s1', 'after'),
    ]);
    expect(outcomes[2].status).toBe('fulfilled');
    expect(await store.last('vault-s1')).toBeUndefined();
    expect(fresh.openCached('s1', sealed)).toBeUndefined();
    await expect(fresh.seal('s1', 'c', 'text')).rejects.toThrow(KeyDestroyedError);
  });

  it('[SE11.1] are listed while they exist', async () => {
    await Promise.all(['s1', 's2', 's3'].map((id) => vault.createKey(id)));
    await vault.destroyKey('s2');
    const { ids, unreadable: broken } = await vault.listVaults();
    expect([ids.toSorted(), broken]).toEqual([['s1', 's3'], []]);
  });

  it('[SE11.1] are not listed where the master key of one is missing: its session would time out, and be erased', async () => {
    await vault.createKey('s1');
    await expect(afterRestart([randomness.bytes(32)]).listVaults()).rejects.toThrow(MasterKeyMissingError);
    expect(await afterRestart([randomness.bytes(32), masterKey]).listVaults()).toEqual({ ids: ['s1'], unreadable: [] });
  });

  it('[SE11.2] are listed, too, where their destruction was cut off: without a key', async () => {
    await store.append('vault-s1', 'no-stream', [
      { id: randomness.uuid(), type: 'StreamErased', data: {}, metadata: {} },
    ]);
    expect(await vault.listVaults()).toEqual({ ids: ['s1'], unreadable: [] });
  });

  it('must have 32 bytes, and there must be one', () => {
    expect(() => openVault({ store, masterKeys: [], clock, randomness, reportUnreadable })).toThrow(RangeError);
    expect(() =>
      openVault({ store, masterKeys: [masterKey, Buffer.alloc(16)], clock, randomness, reportUnreadable }),
    ).toThrow(RangeError);
  });
});

describe('the login of a session', () => {
  it('[SE11.1] is there again after a restart, and the only event of its stream', async () => {
    await vault.createKey('s1');
    expect(await vault.loadLogin('s1', asIs)).toBeUndefined();
    await vault.saveLogin('s1', 'first');
    await vault.saveLogin('s1', 'second');
    expect(await vault.loadLogin('s1', asIs)).toBe('second');
    expect(await afterRestart().loadLogin('s1', asIs)).toBe('second');
    const events = [];
    for await (const event of store.read('vault-s1')) events.push(event);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('second');
  });

  it('keeps the last of many saves, in few appends', async () => {
    await vault.createKey('s1');
    const last = await store.last('vault-s1');
    await Promise.all(Array.from({ length: 50 }, (_, index) => vault.saveLogin('s1', `login ${index}`)));
    expect(await vault.loadLogin('s1', asIs)).toBe('login 49');
    expect(((await store.last('vault-s1'))?.revision ?? 0) - (last?.revision ?? 0)).toBeLessThanOrEqual(2);
  });

  it('is gone when dropped, and texts still open', async () => {
    await vault.createKey('s1');
    const sealed = await vault.seal('s1', 'c', 'text');
    await Promise.all([vault.saveLogin('s1', 'login'), vault.dropLogin('s1')]);
    expect(await afterRestart().loadLogin('s1', asIs)).toBeUndefined();
    expect(await afterRestart().open('s1', sealed)).toBe('text');
  });

  const troubled = (faults: Fault[]): Vault =>
    openVault({
      store: createFaultyStore(store, () => faults.shift()),
      masterKeys: [masterKey],
      clock,
      randomness,
      reportUnreadable,
    });
  const five = (kind: 'fails-before' | 'fails-after'): Fault[] => Array.from({ length: 5 }, () => ({ kind }));

  it('[ER1.1] are saved while the store is away for a moment, once', async () => {
    await vault.createKey('s1');
    const saved = troubled([{ kind: 'fails-before' }, { kind: 'fails-after' }]).saveLogin('s1', 'one');
    await clock.advance(200);
    await saved;
    expect(await afterRestart().loadLogin('s1', asIs)).toBe('one');
    expect((await store.last('vault-s1'))?.revision).toBe(1);
  });

  it('[ER1.1] fail to be saved within 1.6 s of a store that is away, recorded or not, and are saved afterwards', async () => {
    await vault.createKey('s1');
    const faults = [...five('fails-before'), ...five('fails-after')];
    const other = troubled(faults);
    const first = failureOf(other.saveLogin('s1', 'one'));
    await clock.advance(1_600);
    expect(await first).toBeInstanceOf(StoreUnavailableError);
    expect(await other.loadLogin('s1', asIs)).toBeUndefined();
    const second = failureOf(other.saveLogin('s1', 'two'));
    await clock.advance(1_600);
    expect(await second).toBeInstanceOf(StoreUnavailableError);
    expect(await other.loadLogin('s1', asIs)).toBe('two');
    await other.saveLogin('s1', 'three');
    expect(await afterRestart().loadLogin('s1', asIs)).toBe('three');
  });
});

describe('a vault that cannot be read', () => {
  const foreign = { type: 'SecretStored', data: '{"path":"/a"}', metadata: '{}' };
  const newer = { type: 'LoginSaved', data: '{"chest":1}', metadata: '{"version":3}' };
  const broken = { type: 'LoginSaved', data: '{"key":"v1.', metadata: '{}' };
  const bare = { type: 'LoginSaved', data: '{"key":"k","login":null}', metadata: undefined };
  const forged = { type: 'LoginSaved', data: '{"key":"k","login":null}', metadata: '{}' };

  it.each([
    ['unknown-type', foreign],
    ['newer-version', newer],
    ['broken-json', broken],
    ['no-metadata', bare],
    ['broken-seal', forged],
  ])('[FA7.2] is told apart (%s), reported, and left as it is', async (reason, event) => {
    await Promise.all([vault.createKey('s1'), vault.createKey('s2')]);
    await vault.saveLogin('s1', 'login');
    disk.plant('vault-s1', event);
    const next = afterRestart();
    expect(await next.listVaults()).toEqual({ ids: ['s2'], unreadable: ['s1'] });
    await expect(next.seal('s1', 'c', 'text')).rejects.toThrow(UnreadableEventError);
    await expect(next.loadLogin('s1', asIs)).rejects.toThrow(UnreadableEventError);
    await expect(next.saveLogin('s1', 'login 2')).rejects.toThrow(UnreadableEventError);
    expect(await next.seal('s2', 'c', 'text')).toMatch(/^v1/);
    expect(new Set(unreadable.map(({ kind, stream, reason: said }) => `${kind} ${stream} ${said}`))).toEqual(
      new Set([`vault vault-s1 ${reason}`]),
    );
    expect((await store.last('vault-s1'))?.type).toBe(event.type);
  });

  it('[FA7.2] stops saves of a process that wrote it last, and the first of them reports it', async () => {
    await vault.createKey('s1');
    await vault.saveLogin('s1', 'login');
    disk.plant('vault-s1', foreign);
    await expect(vault.saveLogin('s1', 'login 2')).rejects.toThrow(UnreadableEventError);
    expect(unreadable).toMatchObject([{ kind: 'vault', stream: 'vault-s1', reason: 'unknown-type' }]);
  });

  it('[FA7.2] keeps a login that does not open, or that its reader cannot read', async () => {
    await vault.createKey('s1');
    await vault.saveLogin('s1', 'login');
    const { data } = (await store.last('vault-s1')) ?? {};
    const refuse = (): string => {
      throw new Error('another form');
    };
    await expect(afterRestart().loadLogin('s1', refuse)).rejects.toThrow(UnreadableEventError);
    disk.plant('vault-s1', { ...forged, data: JSON.stringify({ ...(data as object), login: 'v1.a.b.c' }) });
    await expect(afterRestart().loadLogin('s1', asIs)).rejects.toThrow(UnreadableEventError);
    expect(unreadable.map(({ revision, reason }) => [revision, reason])).toEqual([
      [1, 'wrong-shape'],
      [2, 'broken-seal'],
    ]);
  });
});
