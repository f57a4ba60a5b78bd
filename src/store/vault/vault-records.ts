import {
  isUnreadable,
  type ReportUnreadable,
  type Unreadable,
  UnreadableEventError,
} from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { type KeyRing, MasterKeyMissingError } from './key-ring.ts';
import { type RecordedVaultEvent, vaultCodec, vaultOwner, vaultPrefix, vaultStream } from './vault-codec.ts';

/** IDs of the sessions that have a vault. */
export interface StoredVaults {
  /** Those whose key opens, or is being destroyed. */
  ids: readonly string[];
  /** Those whose last event cannot be read, or whose key does not open (FA7). They are left as they are. */
  unreadable: readonly string[];
}

/** Reads vaults. Unreadable ones are reported and left as they are. */
export class VaultRecords {
  readonly #store: Pick<EventStore, 'last' | 'lastOfEach'>;
  readonly #ring: KeyRing;
  readonly #reportUnreadable: ReportUnreadable;

  constructor(store: Pick<EventStore, 'last' | 'lastOfEach'>, ring: KeyRing, reportUnreadable: ReportUnreadable) {
    this.#store = store;
    this.#ring = ring;
    this.#reportUnreadable = reportUnreadable;
  }

  /** Undefined if the session has no vault. @throws {UnreadableEventError} */
  async last(sessionId: string): Promise<RecordedVaultEvent | undefined> {
    const recorded = await this.#store.last(vaultStream(sessionId));
    return recorded && this.#decoded(recorded);
  }

  /** Opens the key of every session once. @throws {MasterKeyMissingError} */
  async list(): Promise<StoredVaults> {
    const vaults: { ids: string[]; unreadable: string[] } = { ids: [], unreadable: [] };
    for await (const recorded of this.#store.lastOfEach(vaultPrefix)) {
      const id = vaultOwner(recorded.stream);
      try {
        this.dataKey(this.#decoded(recorded));
        vaults.ids.push(id);
      } catch (error) {
        if (!(error instanceof UnreadableEventError)) throw error;
        // If the destruction of the key was begun, it has to be finished.
        const isErased = error.unreadable.reason === 'erased';
        (isErased ? vaults.ids : vaults.unreadable).push(id);
      }
    }
    return vaults;
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
