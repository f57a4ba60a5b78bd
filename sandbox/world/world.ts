import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolServer, TlObject } from '../rpc.ts';
import { CallbackQueries } from './bots/callback-queries.ts';
import { CallFaults } from './call-faults.ts';
import { CallLog } from './call-log.ts';
import { DifferenceFaults } from './difference-faults.ts';
import { BlobStore } from './files/blob-store.ts';
import { Uploads } from './files/uploads.ts';
import { RateLimits } from './rate-limits.ts';
import { Tables } from './state/tables.ts';
import { WorldJournal } from './state/world-journal.ts';
import { TypingLog } from './typing-log.ts';

/** The world's time: token expiry, dates, slow mode. Tests drive it. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface WorldOptions {
  clock?: SandboxClock;
  /** A folder in which all state survives a restart; without one it is in memory only. */
  folder?: string;
  /** Updates in one answer of `updates.getDifference`; 100 if left out. */
  differenceSlice?: number;
  /** Whether accounts may make some calls only so often, as at Telegram; true if left out. */
  rateLimits?: boolean;
}

/**
 * Everything that Telegram knows. The functions in this folder read and change it. With a folder, `tables` and `blobs`
 * survive a restart; the other members never do.
 */
export class World {
  readonly tables = new Tables();
  readonly calls = new CallLog();
  readonly faults = new CallFaults();
  readonly differenceFaults = new DifferenceFaults();
  readonly typing = new TypingLog();
  readonly rateLimits: RateLimits;
  readonly callbackQueries: CallbackQueries;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly clock: SandboxClock;
  /** Updates in one difference. */
  differenceSlice: number;
  /** Set once the protocol listens. Without it nothing is pushed. */
  protocol: ProtocolServer | undefined;

  readonly #defaultSlice: number;
  readonly #journal: WorldJournal | undefined;
  readonly #secret = createHash('sha256').update('sandbox world').digest();
  readonly #closing = new AbortController();
  #aheadMs = 0;

  constructor(options: WorldOptions = {}) {
    const { clock = { now: () => Date.now() }, folder, differenceSlice = 100, rateLimits = true } = options;
    this.clock = { now: () => clock.now() + this.#aheadMs };
    this.rateLimits = new RateLimits(rateLimits, () => this.clock.now());
    this.callbackQueries = new CallbackQueries(() => this.clock.now());
    this.#defaultSlice = differenceSlice;
    this.differenceSlice = differenceSlice;
    this.blobs = new BlobStore(folder);
    this.uploads = new Uploads(this.blobs, this.clock);
    this.#journal = folder ? new WorldJournal(folder, this.tables) : undefined;
  }

  /** Fills the world with the seed, then applies the journal. Writes nothing. */
  open(seed: (world: World) => void): void {
    seed(this);
    this.#journal?.replay();
  }

  /**
   * Records changes from now on, and removes the unfinished uploads of an earlier run. To be called once no other
   * process can use the folder.
   */
  startJournal(): void {
    if (!this.#journal) return;
    this.#journal.start();
    this.uploads.clear();
  }

  /** Restores the seeded world. All logins and keys are removed, and faults are turned off. */
  reset(seed: (world: World) => void): void {
    this.#journal?.pause();
    const keys = [...this.tables.keys.values()];
    this.tables.clear();
    this.calls.clear();
    this.faults.clear();
    this.differenceFaults.clear();
    this.typing.clear();
    this.rateLimits.clear();
    this.callbackQueries.clear();
    this.setDifferenceSlice(0);
    this.#aheadMs = 0;
    this.uploads.clear();
    this.blobs.removeAll();
    seed(this);
    this.#journal?.restart();
    this.protocol?.clearFaults();
    for (const key of keys) this.protocol?.forgetKey(key.id);
    this.flush();
  }

  /** Makes all changes safe against kill -9. Called before an answer or a push is sent. */
  flush(): void {
    this.#journal?.flush();
  }

  close(): void {
    this.#closing.abort();
    this.callbackQueries.clear();
    this.#journal?.close();
    this.blobs.close();
  }

  /** Moves the world's time ahead, until the next reset. */
  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** 32 bytes that depend on `parts` alone, the same in every run: access hashes, file references. */
  derive(...parts: (string | number)[]): Buffer {
    return createHmac('sha256', this.#secret).update(parts.join('|')).digest();
  }

  /** Waits in real time, not the world's: a fault delays what a client sees. Ends early when the world is closed. */
  wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  random(bytes: number): Buffer {
    return randomBytes(bytes);
  }

  /** 0: the default. */
  setDifferenceSlice(updates: number): void {
    this.differenceSlice = updates || this.#defaultSlice;
  }

  /** Pushes updates to all devices of a user; `exceptSession` has them in its answer. */
  push(userId: number, updates: TlObject, exceptSession?: bigint): void {
    const keys = this.tables
      .activeLogins(userId)
      .filter((login) => !login.imported)
      .map((login) => login.keyId);
    if (keys.length === 0 || !this.protocol) return;
    this.flush();
    this.protocol.push(keys, updates, exceptSession);
  }
}
