import { createHmac } from 'node:crypto';
import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LruMap } from '../../../actors/kit/lru-map.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import { type EventStore, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, type Partitions, soleOwner } from '../../../actors/ports/ownership.ts';
import { KeyDestroyedError, type Sealed, type Sealer } from '../../../actors/ports/sealer.ts';
import { appendToVault, type VaultWriterDeps } from './append-to-vault.ts';
import { KeptLogOuts, type KeptLogOutsDeps } from './kept-log-outs.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { dataKeyBytes, loginContext, openText, sealText } from './sealing.ts';
import { logOutStream, type VaultFact, type VaultRecord, vaultOwner, vaultStream } from './vault-codec.ts';
import { type StoredVaults, VaultRecords } from './vault-records.ts';

/** Stores the logins of sessions, encrypted. */
interface LoginStore {
  /**
   * What `read` returns for the login; undefined if there is none, or the session is deleted.
   * @throws {UnreadableEventError} the vault cannot be read, or `read` throws: the login is kept, and reported.
   */
  loadLogin<Login>(sessionId: string, read: (text: string) => Login): Promise<Login | undefined>;
  /**
   * Replaces the login; durable when resolved. Of concurrent saves the last one counts, and all resolve with it.
   * @param isLast the process saves this login for the last time, and a release waits for it: the older login is left to the next save
   * @throws {KeyDestroyedError} the session is deleted. {@link NotOwnerError}
   */
  saveLogin(sessionId: string, login: string, isLast?: boolean): Promise<void>;
  /** Durable when resolved. No error if there is no login. What is kept for a log-out is destroyed too. */
  dropLogin(sessionId: string): Promise<void>;
}

export interface Vault extends Sealer, LoginStore {
  /**
   * A keyed hash: equal texts of a session have equal fingerprints. Without the session's key no guess can be checked.
   * @throws {KeyDestroyedError} the session is deleted.
   */
  fingerprint(sessionId: string, text: string): Promise<Buffer>;
  /**
   * Opens the key of every session once. Keys and logins then need no read of their own, as far as there is room.
   * @throws {MasterKeyMissingError} the master key of one of them is not given.
   */
  listVaults(): Promise<StoredVaults>;
  /** Another process has written, or may write: what is known of the vaults of these sessions is read again. */
  forget(sessions: Partitions): void;
  /** Another process has deleted the session: its key leaves the memory of this one. */
  forgetDeleted(sessionId: string): void;
}

export interface VaultOptions {
  store: EventStore;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns' | 'epochOf'> | undefined;
  /** Whether the session is deleted, as far as is known: its key is not kept in memory then. Default: none is. */
  isDeleted?: ((sessionId: string) => boolean) | undefined;
  /** 32 bytes each. The first wraps, all unwrap. */
  masterKeys: readonly Buffer[];
  clock: Clock;
  randomness: Randomness;
  reportUnreadable: ReportUnreadable;
  /** Default: nothing is kept for a log-out. */
  forLogOut?: KeptLogOutsDeps['forLogOut'];
}

interface DataKey {
  key: Buffer;
  wrapped: string;
  /** Of the vault's last event. */
  revision: number;
}

/** Shared by all saves of a session that wait together. */
interface PendingSave {
  login: string | undefined;
  isLast: boolean;
  saved: Promise<void>;
}

const maxCachedKeys = 20_000;
/** Tries of a save that finds another one recorded. A former owner may have one under way. */
const maxSaves = 3;
const fingerprintPurpose = 'fingerprint';

/**
 * Stores each session's data key and login as one event in `vault-{id}`; of a deleted session that is not logged out yet, a
 * key of its own and the rest of the login in `vault-{id}.log-out`.
 */
export function openVault(options: VaultOptions): Vault {
  return new EventVault(options, createKeyRing(options.masterKeys, options.randomness));
}

class EventVault implements Vault {
  #store: EventStore;
  #ownership: Pick<Ownership, 'owns' | 'epochOf'>;
  #isDeleted: (sessionId: string) => boolean;
  #ring: KeyRing;
  #randomness: Randomness;
  #writing: VaultWriterDeps;
  #records: VaultRecords;
  #logOuts: KeptLogOuts;
  #keys = new LruMap<string, DataKey>(maxCachedKeys);
  #loading = new Map<string, Promise<DataKey | undefined>>();
  /** By session. */
  #writes = new KeyedQueue();
  #pendingSaves = new Map<string, PendingSave>();

  constructor(options: VaultOptions, ring: KeyRing) {
    const { store, clock, randomness, reportUnreadable } = options;
    const { forLogOut = () => undefined, ownership = soleOwner, isDeleted = () => false } = options;
    this.#isDeleted = isDeleted;
    this.#store = store;
    this.#ownership = ownership;
    this.#writing = { store, clock, random: randomness };
    this.#ring = ring;
    this.#randomness = randomness;
    this.#records = new VaultRecords(store, ring, reportUnreadable);
    this.#logOuts = new KeptLogOuts({ ...this.#writing, clock, ring, records: this.#records, forLogOut });
  }

  createKey(sessionId: string): Promise<void> {
    return this.#writes.run(sessionId, async () => {
      // No part of Node's pool of Buffers, of which a small one would keep 8 KB.
      const key = Buffer.alloc(dataKeyBytes);
      key.set(this.#randomness.bytes(dataKeyBytes));
      const wrapped = this.#ring.wrap(sessionId, key);
      try {
        const revision = await this.#record(sessionId, -1, 'KeyCreated', { key: wrapped, login: null });
        this.#keys.set(sessionId, { key, wrapped, revision });
      } catch (error) {
        // A retry after a call whose outcome was unknown: the first key stays.
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    });
  }

  async seal(sessionId: string, context: string, text: string): Promise<Sealed> {
    const { key } = this.#keys.get(sessionId) ?? (await this.#mustHaveKey(sessionId));
    return sealText(key, sessionId, context, text, this.#randomness);
  }

  async open(sessionId: string, sealed: Sealed): Promise<string | undefined> {
    const found = this.#keys.get(sessionId) ?? (await this.#load(sessionId));
    return found && openText(found.key, sessionId, sealed);
  }

  openCached(sessionId: string, sealed: Sealed): string | undefined {
    const found = this.#keys.get(sessionId);
    return found && openText(found.key, sessionId, sealed);
  }

  async fingerprint(sessionId: string, text: string): Promise<Buffer> {
    const { key } = this.#keys.get(sessionId) ?? (await this.#mustHaveKey(sessionId));
    // A derived key: the data key itself is only used for sealing.
    const derived = createHmac('sha256', key).update(fingerprintPurpose).digest();
    return createHmac('sha256', derived).update(text).digest();
  }

  destroyKey(sessionId: string, proxy?: string): Promise<number | undefined> {
    return this.#writes.run(sessionId, async () => {
      this.#forget(sessionId);
      const until = await this.#logOuts.keep(sessionId, proxy);
      await this.#store.erase(vaultStream(sessionId));
      this.#forget(sessionId);
      return until;
    });
  }

  giveUpLogOut(sessionId: string): Promise<void> {
    return this.#writes.run(sessionId, () => this.#store.erase(logOutStream(sessionId)));
  }

  async loadLogin<Login>(sessionId: string, read: (text: string) => Login): Promise<Login | undefined> {
    await this.#writes.ended(sessionId);
    const event = (await this.#records.last(sessionId)) ?? (await this.#records.keptLogOut(sessionId));
    return event && this.#records.login(event, read);
  }

  saveLogin(sessionId: string, login: string, isLast = false): Promise<void> {
    return this.#save(sessionId, login, isLast);
  }

  async dropLogin(sessionId: string): Promise<void> {
    try {
      await this.#save(sessionId, undefined, false);
    } catch (error) {
      if (!(error instanceof KeyDestroyedError)) throw error;
      await this.giveUpLogOut(sessionId);
    }
  }

  listVaults(): Promise<StoredVaults> {
    return this.#records.list(({ stream, data, revision }, key) =>
      this.#keys.set(vaultOwner(stream), { key, wrapped: data.key, revision }),
    );
  }

  forget(sessions: Partitions): void {
    const known = new Set([...this.#keys.keys(), ...this.#loading.keys(), ...this.#records.listed()]);
    for (const id of known) if (sessions.has(id)) this.#forget(id);
  }

  forgetDeleted(sessionId: string): void {
    this.#forget(sessionId);
  }

  /** Joins the save that has not begun yet, or queues a new one. */
  #save(sessionId: string, login: string | undefined, isLast: boolean): Promise<void> {
    const pending = this.#pendingSaves.get(sessionId);
    if (pending !== undefined) return Object.assign(pending, { login, isLast }).saved;
    const save: PendingSave = { login, isLast, saved: Promise.resolve() };
    save.saved = this.#writes.run(sessionId, () => {
      this.#pendingSaves.delete(sessionId);
      return this.#saveBehindOthers(sessionId, save);
    });
    this.#pendingSaves.set(sessionId, save);
    return save.saved;
  }

  /** A save of its former owner may arrive late: then the vault is read again, if the session has not changed hands meanwhile. */
  async #saveBehindOthers(sessionId: string, save: PendingSave): Promise<void> {
    const epoch = this.#ownership.epochOf(sessionId);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#saveNow(sessionId, save);
      } catch (error) {
        const isSame = this.#ownership.epochOf(sessionId) === epoch;
        if (!(error instanceof WrongExpectedRevisionError) || !isSame || tries === maxSaves) throw error;
      }
    }
  }

  async #saveNow(sessionId: string, { login, isLast }: PendingSave): Promise<void> {
    const { key, wrapped: found, revision: expected } = await this.#mustHaveKey(sessionId);
    // What was read may be another owner's.
    mustOwn(this.#ownership, sessionId);
    const wrapped = this.#ring.isCurrent(found) ? found : this.#ring.wrap(sessionId, key);
    const sealed = login === undefined ? null : sealText(key, sessionId, loginContext, login, this.#randomness);
    const type = sealed === null ? 'LoginDropped' : 'LoginSaved';
    const revision = await this.#record(sessionId, expected, type, { key: wrapped, login: sealed });
    this.#keys.set(sessionId, { key, wrapped, revision });
    if (isLast) return;
    await this.#store.truncate(vaultStream(sessionId), revision).catch(() => {
      // The new login is saved. The next save removes the old one, or the destruction of the key does.
    });
  }

  /**
   * Writes behind the event with this revision; -1: the first event. If it fails, another writer has written, or the
   * outcome is in doubt: the key in memory is forgotten, and the vault is read again.
   */
  async #record(sessionId: string, revision: number, type: VaultFact, data: VaultRecord): Promise<number> {
    this.#records.drop(sessionId);
    try {
      return await appendToVault(this.#writing, vaultStream(sessionId), revision, { type, data });
    } catch (error) {
      this.#forget(sessionId);
      throw error;
    }
  }

  async #mustHaveKey(sessionId: string): Promise<DataKey> {
    const found = this.#keys.get(sessionId) ?? (await this.#load(sessionId));
    if (found === undefined) throw new KeyDestroyedError(`session ${sessionId} has no key`);
    return found;
  }

  /** One read for concurrent callers. */
  #load(sessionId: string): Promise<DataKey | undefined> {
    const running = this.#loading.get(sessionId);
    if (running !== undefined) return running;
    const loading = this.#read(sessionId).then(
      (found) => {
        // A key that was destroyed or replaced meanwhile is not cached.
        if (this.#loading.get(sessionId) === loading) {
          this.#loading.delete(sessionId);
          if (found !== undefined && !this.#isDeleted(sessionId)) this.#keys.set(sessionId, found);
        }
        return found;
      },
      (error: unknown) => {
        if (this.#loading.get(sessionId) === loading) this.#loading.delete(sessionId);
        throw error;
      },
    );
    this.#loading.set(sessionId, loading);
    return loading;
  }

  async #read(sessionId: string): Promise<DataKey | undefined> {
    const event = await this.#records.last(sessionId);
    return event && { key: this.#records.dataKey(event), wrapped: event.data.key, revision: event.revision };
  }

  #forget(sessionId: string): void {
    this.#keys.delete(sessionId);
    this.#loading.delete(sessionId);
    this.#records.drop(sessionId);
  }
}
