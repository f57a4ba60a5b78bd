import { beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import { KeyDestroyedError } from '../../../../actors/ports/sealer.ts';
import { openVault, type Vault } from '../../../../src/store/vault/vault.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { layerOver } from '../../../support/store/layer-over.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const clock = createDrivenClock();
const randomness = createSeededRandomness(2, clock);
const masterKeys = [randomness.bytes(32)];
const ids = ['s1', 's2', 's3'];
const asIs = (text: string): string => text;

let disk: MemoryDisk;
let reads: string[];
/** Called while vaults are listed, before each. */
let meanwhile: (stream: string) => Promise<void>;

function open(): Vault {
  const below = createMemoryStore(clock, disk);
  const store: EventStore = layerOver(below, {
    last: (stream) => {
      reads.push(stream);
      return below.last(stream);
    },
    async *lastOfEach(prefix) {
      const found = [];
      for await (const event of below.lastOfEach(prefix)) found.push(event);
      for (const event of found) {
        await meanwhile(event.stream);
        yield event;
      }
    },
  });
  return openVault({ store, masterKeys, clock, randomness, reportUnreadable: allReadable });
}

beforeEach(async () => {
  disk = new MemoryDisk();
  reads = [];
  meanwhile = async () => {};
  const vault = open();
  for (const id of ids) {
    await vault.createKey(id);
    await vault.saveLogin(id, `login of ${id}`);
  }
  reads = [];
});

describe('vaults that were listed', () => {
  it('[SE7.2] give keys and logins without a read of each', async () => {
    const sealed = await open().seal('s2', 'c', 'text');
    reads = [];
    const vault = open();
    await vault.listVaults();
    expect(await Promise.all(ids.map((id) => vault.loadLogin(id, asIs)))).toEqual(ids.map((id) => `login of ${id}`));
    expect(vault.openCached('s2', sealed)).toBe('text');
    expect(reads).toEqual([]);
    // Once is enough.
    expect(await vault.loadLogin('s1', asIs)).toBe('login of s1');
    expect(reads).toEqual(['vault-s1']);
  });

  it('[SE7.2] give what was saved since', async () => {
    const vault = open();
    await vault.listVaults();
    await vault.saveLogin('s1', 'newer');
    await vault.dropLogin('s2');
    expect(await vault.loadLogin('s1', asIs)).toBe('newer');
    expect(await vault.loadLogin('s2', asIs)).toBeUndefined();
  });

  it('[SE7.2] give what was saved while they were listed', async () => {
    const vault = open();
    meanwhile = (stream) => (stream === 'vault-s2' ? vault.saveLogin('s2', 'newer') : Promise.resolve());
    await vault.listVaults();
    expect(await vault.loadLogin('s2', asIs)).toBe('newer');
    expect(await vault.saveLogin('s2', 'newest')).toBeUndefined();
  });

  it.each(['after', 'while'])('[SE11.2] stay destroyed if that was done %s they were listed', async (when) => {
    const vault = open();
    const sealed = await vault.seal('s1', 'c', 'text');
    const destroy = async (): Promise<void> => void (await vault.destroyKey('s1'));
    if (when === 'while') meanwhile = (stream) => (stream === 'vault-s1' ? destroy() : Promise.resolve());
    await vault.listVaults();
    if (when === 'after') await destroy();
    expect(vault.openCached('s1', sealed)).toBeUndefined();
    expect(await vault.open('s1', sealed)).toBeUndefined();
    expect(await vault.loadLogin('s1', asIs)).toBeUndefined();
    await expect(vault.seal('s1', 'c', 'text')).rejects.toThrow(KeyDestroyedError);
  });
});
