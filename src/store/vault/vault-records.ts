import { LRUCache } from 'lru-cache';
import {
  isUnreadable,
  type ReportUnreadable,
  type Unreadable,
  UnreadableEventError,
} from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { type KeyRing, MasterKeyMissingError } from './key-ring.ts';
import { openText } from './sealing.ts';
import {
  isLogOutStream,
  logOutStream,
  type RecordedVaultEvent,
  vaultCodec,
  vaultOwner,
  vaultPrefix,
  vaultStream,
} from './vault-codec.ts';

/** IDs of the sessions that have a vault. */
export interface StoredVaults {
  /** Those whose key opens, or is being destroyed. */
  ids: readonly string[];
  /** Those whose last event cannot be read, or whose key does not open (FA7). They are left as they are. */
  unreadable: readonly string[];
}

/** Of vaults that were listed and have not been used yet, in characters: the logins of 10,000 sessions, about. */
const maxListed = 32 * 1024 * 1024;

/** Reads vaults. Unreadable ones are reported and left as they are. */
export class VaultRecords {
  readonly #store: Pick<EventStore, 'last' | 'lastOfEach'>;
  readonly #ring: KeyRing;
  readonly #reportUnreadable: ReportUnreadable;
  /** A start lists all vaults in one read; each session uses its own once more. */
  readonly #listed = new LRUCache<string, RecordedVaultEvent>({
    maxSize: maxListed,
    sizeCalculation: ({ data }) => data.key.length + (data.login?.length ?? 0),
  });
  /** Vaults that are written while they are listed: what the list found may be old. Undefined: none is being listed. */
  #written: Set<string> | undefined;

  constructor(store: Pick<EventStore, 'last' | 'lastOfEach'>, ring: KeyRing, reportUnreadable: ReportUnreadable) {
    this.#store = store;
    this.#ring = ring;
    this.#reportUnreadable = reportUnreadable;
  }

  /** Undefined if the session has no vault. @throws {UnreadableEventError} */
  async last(sessionId: string): Promise<RecordedVaultEvent | undefined> {
    const listed = this.#listed.get(sessionId);
    if (listed !== undefined) return listed;
    const recorded = await this.#store.last(vaultStream(sessionId));
    return recorded && this.#decoded(recorded);
  }

  /** What is kept for the log-out of a deleted session; undefined if nothing is. @throws {UnreadableEventError} */
  async keptLogOut(sessionId: string): Promise<RecordedVaultEvent<'LogOutKept'> | undefined> {
    const recorded = await this.#store.last(logOutStream(sessionId));
    const event = recorded && this.#decoded(recorded);
    return event?.type === 'LogOutKept' ? event : undefined;
  }

  /**
   * What `read` returns for the login in the event; undefined if there is none.
   * @throws {UnreadableEventError} it does not open, or `read` throws @throws {MasterKeyMissingError}
   */
  login<Login>(event: RecordedVaultEvent, read: (text: string) => Login): Login | undefined {
    const sessionId = vaultOwner(event.stream);
    const key = this.dataKey(event);
    this.drop(sessionId);
    const { login } = event.data;
    if (login === null) return undefined;
    const text = this.read(event, 'broken-seal', () => openText(key, sessionId, login));
    return this.read(event, 'wrong-shape', () => read(text));
  }

  /** To be called before a vault is written, and when its login has been read: it is not needed again soon. */
  drop(sessionId: string): void {
    this.#listed.delete(sessionId);
    this.#written?.add(sessionId);
  }

  /** The sessions whose vaults are kept. */
  listed(): Iterable<string> {
    return this.#listed.keys();
  }

  /**
   * Opens the key of every session once, and keeps what {@link last} would read.
   * @param onKey called for each key, unless its vault is written meanwhile
   * @throws {MasterKeyMissingError}
   */
  async list(onKey: (event: RecordedVaultEvent, key: Buffer) => void): Promise<StoredVaults> {
    const written = new Set<string>();
    this.#written = written;
    try {
      return await this.#list((id, event, key) => {
        if (written.has(id)) return;
        this.#listed.set(id, event);
        onKey(event, key);
      });
    } finally {
      this.#written = undefined;
    }
  }

  async #list(onFound: (id: string, event: RecordedVaultEvent, key: Buffer) => void): Promise<StoredVaults> {
    const vaults: { ids: string[]; unreadable: string[] } = { ids: [], unreadable: [] };
    for await (const recorded of this.#store.lastOfEach(vaultPrefix)) {
      const id = vaultOwner(recorded.stream);
      try {
        const event = this.#decoded(recorded);
        if (!isLogOutStream(recorded.stream)) onFound(id, event, this.dataKey(event));
        vaults.ids.push(id);
      } catch (error) {
        if (!(error instanceof UnreadableEventError)) throw error;
        // If the destruction of the key was begun, it has to be finished.
        const isErased = error.unreadable.reason === 'erased';
        (isErased ? vaults.ids : vaults.unreadable).push(id);
      }
    }
    // A vault whose erasure was interrupted may have both streams.
    return { ...vaults, ids: [...new Set(vaults.ids)] };
  }

  /** The data key of the session. @throws {MasterKeyMissingError} @throws {UnreadableEventError} */
  dataKey(event: RecordedVaultEvent): Buffer {
    return this.read(event, 'broken-seal', () => this.#ring.unwrap(vaultOwner(event.stream), event.data.key));
  }

  /** What `read` returns. @throws {MasterKeyMissingError} @throws {UnreadableEventError} `read` threw something else. */
  read<T>(event: RecordedVaultEvent, reason: Unreadable['reason'], read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof MasterKeyMissingError) throw error;
      const { stream, revision, position } = event;
      throw this.#unreadable({ kind: vaultCodec.kind, stream, revision, position, reason }, error);
    }
  }

  #decoded(recorded: RecordedEvent): RecordedVaultEvent {
    const event = vaultCodec.decode(recorded);
    if (isUnreadable(event)) throw this.#unreadable(event);
    return event;
  }

  #unreadable(unreadable: Unreadable, cause?: unknown): UnreadableEventError {
    this.#reportUnreadable(unreadable);
    return new UnreadableEventError(unreadable, { cause });
  }
}
