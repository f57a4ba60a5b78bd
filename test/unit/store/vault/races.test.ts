import { expect, it, vi } from 'vitest';
import { type EventStore, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import { NotOwnerError, type Ownership, soleOwner } from '../../../../actors/ports/ownership.ts';
import { openVault, type Vault } from '../../../../src/store/vault/vault.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createFaultyStore } from '../../../support/store/faulty-store.ts';
import { holdNextRead } from '../../../support/store/hold-next-read.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
const randomness = createSeededRandomness(1, clock);
const masterKeys = [randomness.bytes(32)];
const vaultOver = (store: EventStore): Vault =>
  openVault({ store, masterKeys, clock, randomness, reportUnreadable: allReadable });

it('[SE11.2] a load that is under way while the key is destroyed does not bring it back', async () => {
  const disk = new MemoryDisk();
  const before = vaultOver(createMemoryStore(clock, disk));
  await before.createKey('s1');
  const sealed = await before.seal('s1', 'event-1', 'secret');

  const store = createMemoryStore(clock, disk);
  const vault = vaultOver(store);
  const answer = holdNextRead(store);
  const opening = vault.open('s1', sealed);
  await clock.settle();
  await vault.destroyKey('s1');
  answer.open();
  await opening;
  expect([vault.openCached('s1', sealed), await vault.open('s1', sealed)]).toEqual([undefined, undefined]);
});

it('[SE11.2] nor does one that begins while the key is being destroyed', async () => {
  const disk = new MemoryDisk();
  const before = vaultOver(createMemoryStore(clock, disk));
  await before.createKey('s1');
  const sealed = await before.seal('s1', 'event-1', 'secret');

  const store = createMemoryStore(clock, disk);
  const vault = vaultOver(store);
  const erasure = createGate();
  const erase = store.erase.bind(store);
  store.erase = async (stream) => {
    await erasure.passed;
    await erase(stream);
  };
  const destroying = vault.destroyKey('s1');
  await clock.settle();
  expect(await vault.open('s1', sealed)).toBe('secret');
  erasure.open();
  await destroying;
  expect([vault.openCached('s1', sealed), await vault.open('s1', sealed)]).toEqual([undefined, undefined]);
});

it('[SE7.2] a login is read after the save that is under way', async () => {
  const store = createFaultyStore(createMemoryStore(clock), (_, [event]) =>
    event?.type === 'LoginSaved' ? { kind: 'slow-before' } : undefined,
  );
  const vault = vaultOver(store);
  await vault.createKey('s1');
  const saving = vault.saveLogin('s1', 'new');
  await clock.settle();
  const loading = vault.loadLogin('s1', (text) => text);
  await clock.settle();
  store.release('all');
  await saving;
  expect(await loading).toBe('new');
});

it('[CL2.9] a login is saved behind one that its former owner has saved late', async () => {
  const disk = new MemoryDisk();
  const [former, next] = [vaultOver(createMemoryStore(clock, disk)), vaultOver(createMemoryStore(clock, disk))];
  await former.createKey('s1');
  await next.loadLogin('s1', (text) => text);
  await next.seal('s1', 'event-1', 'text');
  await former.saveLogin('s1', 'late');
  await next.saveLogin('s1', 'new');
  expect(await next.loadLogin('s1', (text) => text)).toBe('new');
});

it('[CL2.9] nothing is saved behind the login of a later owner', async () => {
  const disk = new MemoryDisk();
  const store = createMemoryStore(clock, disk);
  let isOwner = true;
  let epoch = 1;
  const ownership: Ownership = { ...soleOwner, owns: () => isOwner, epochOf: () => epoch };
  const options = { masterKeys, clock, randomness, reportUnreadable: allReadable };
  const former = openVault({ store, ownership, ...options });
  await former.createKey('s1');
  const next = vaultOver(createMemoryStore(clock, disk));
  await next.saveLogin('s1', 'new');
  const append = store.append.bind(store);
  store.append = (...call) => {
    isOwner = false;
    return append(...call);
  };
  await expect(former.saveLogin('s1', 'late')).rejects.toThrow(NotOwnerError);
  // It owns the session again, and another owner has saved a login meanwhile.
  isOwner = true;
  store.append = (...call) => {
    epoch = 2;
    return append(...call);
  };
  await former.seal('s1', 'event-1', 'text');
  await next.saveLogin('s1', 'newer');
  await expect(former.saveLogin('s1', 'late')).rejects.toThrow(WrongExpectedRevisionError);
  expect(await next.loadLogin('s1', (text) => text)).toBe('newer');
});

it('[CL4.3] the last save of an owner removes no older login, the first save of the next owner does', async () => {
  const disk = new MemoryDisk();
  const store = createMemoryStore(clock, disk);
  const vault = vaultOver(store);
  await vault.createKey('s1');
  await vault.saveLogin('s1', 'first');
  const truncate = vi.spyOn(store, 'truncate');
  await vault.saveLogin('s1', 'last', true);
  expect(truncate).not.toHaveBeenCalled();
  const next = vaultOver(createMemoryStore(clock, disk));
  expect(await next.loadLogin('s1', String)).toBe('last');
  await next.saveLogin('s1', 'new');
  const revisions = [];
  for await (const { revision } of store.read('vault-s1')) revisions.push(revision);
  expect(revisions).toEqual([3]);
});
