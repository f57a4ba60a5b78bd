import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolServer, TlObject } from '../rpc.ts';
import { Faults } from './call-faults.ts';
import { CallLog } from './call-log.ts';
import { endBlobs, removeBlobs } from './files/blob-store.ts';
import { forgetUploads } from './files/uploads.ts';
import { Tables } from './state/tables.ts';
import { SeededJournal } from './state/world-journal.ts';
import { TypingLog } from './typing-log.ts';

/** Domain time: token expiry, dates, slow mode. Tests drive it. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface WorldOptions {
  clock?: SandboxClock;
  /** A folder in which everything written survives; without one it is kept in memory. */
  folder?: string;
  /** How many updates `updates.getDifference` gives at a time. */
  differenceSlice?: number;
}

/**
 * Everything Telegram knows. Rows in tables are all of its state; the verbs beside this file change them. What must
 * not survive a restart (typing, faults, the log of calls, SRP challenges) is not in a table.
 */
export class World extends Tables {
  readonly clock: SandboxClock;
  readonly folder: string | undefined;
  /** How many updates a difference holds, until somebody sets another number. */
  differenceSlice: number;
  readonly #usualSlice: number;
  #aheadMs = 0;
  readonly calls = new CallLog();
  readonly faults = new Faults();
  readonly typing = new TypingLog();
  /** Given once the protocol listens; without it nothing is pushed. */
  protocol: ProtocolServer | undefined;

  readonly #journal: SeededJournal | undefined;
  readonly #secret = createHash('sha256').update('sandbox world').digest();
  readonly #closing = new AbortController();

  constructor(options: WorldOptions = {}) {
    super();
    const clock = options.clock ?? { now: () => Date.now() };
    this.clock = { now: () => clock.now() + this.#aheadMs };
    this.folder = options.folder;
    this.#usualSlice = options.differenceSlice ?? 100;
    this.differenceSlice = this.#usualSlice;
    this.#journal = options.folder ? new SeededJournal(options.folder, this) : undefined;
  }

  /** Fills the world with the seed, then with what the journal holds; writes nothing. */
  open(seed: (world: World) => void): void {
    seed(this);
    this.#journal?.replay();
  }

  /** From here on changes are written down. Bounds the journal to what differs from the seed, once the folder is ours. */
  startJournal(): void {
    if (!this.#journal) return;
    this.#journal.start();
    // What an earlier start left half uploaded: nobody will ask for it.
    forgetUploads(this);
  }

  /** The seeded world again; every key but those of open connections is gone, and so is every login. */
  reset(seed: (world: World) => void): void {
    this.#journal?.pause();
    const keys = [...this.keys.values()];
    this.clear();
    this.calls.clear();
    this.faults.clear();
    this.typing.clear();
    this.setDifferenceSlice(0);
    this.#aheadMs = 0;
    forgetUploads(this);
    removeBlobs(this);
    seed(this);
    this.#journal?.restart();
    this.protocol?.clearFaults();
    for (const key of keys) this.protocol?.forgetKey(key.id);
    this.flush();
  }

  /** What has changed is safe against kill -9 afterwards: called before an answer or a push goes out. */
  flush(): void {
    this.#journal?.flush();
  }

  close(): void {
    this.#closing.abort();
    this.#journal?.close();
    endBlobs(this);
  }

  /** Time passes at once: tokens and file references expire, slow mode ends. Back at 0 after a reset. */
  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** A number that `parts` decide, the same in every run: access hashes, file references. */
  derive(...parts: (string | number)[]): Buffer {
    return createHmac('sha256', this.#secret).update(parts.join('|')).digest();
  }

  /** Real time, not the world's: faults delay what a client sees. Ends with the world. */
  wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  random(bytes: number): Buffer {
    return randomBytes(bytes);
  }

  /** 0: the usual number. */
  setDifferenceSlice(updates: number): void {
    this.differenceSlice = updates || this.#usualSlice;
  }

  /** Sends updates to every device of a user, but the session that caused them. */
  push(userId: number, updates: TlObject, exceptSession?: bigint): void {
    const keys = this.activeLogins(userId)
      .filter((login) => !login.imported)
      .map((login) => login.keyId);
    if (keys.length === 0 || !this.protocol) return;
    this.flush();
    this.protocol.push(keys, updates, exceptSession);
  }
}
