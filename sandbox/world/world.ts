import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolServer, StoredKey, TlObject } from '../rpc.ts';
import { removeBlobs, removeTemporaryBlobs } from './blobs.ts';
import { CallLog } from './call-log.ts';
import { Faults } from './faults.ts';
import { Indexes } from './indexes.ts';
import { encodeRow, Journal } from './journal.ts';
import { type PeerKey, peerKey } from './peer.ts';
import type {
  BoxRow,
  ChatRow,
  DialogRow,
  FileRow,
  LoginRow,
  MessageRow,
  MetaRow,
  StoryRow,
  TokenRow,
  UpdateRow,
  UserRow,
} from './rows.ts';
import { type Change, Table } from './table.ts';
import { TypingLog } from './typing-log.ts';
import { forgetUploads } from './uploads.ts';

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

/** Updates that a box remembers; who missed more starts again (`differenceTooLong`). */
const rememberedUpdates = 5_000;

/**
 * Everything Telegram knows. Rows in tables are all of its state; the verbs beside this file change them. What must
 * not survive a restart (typing, faults, the log of calls, SRP challenges) is not in a table.
 */
export class World {
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

  readonly users: Table<UserRow>;
  readonly chats: Table<ChatRow>;
  readonly files: Table<FileRow>;
  readonly messages: Table<MessageRow>;
  readonly updates: Table<UpdateRow>;
  readonly boxes: Table<BoxRow>;
  readonly dialogs: Table<DialogRow>;
  readonly stories: Table<StoryRow>;
  readonly logins: Table<LoginRow>;
  readonly tokens: Table<TokenRow>;
  readonly keys: Table<StoredKey>;
  readonly meta: Table<MetaRow>;

  readonly #indexes = new Indexes();
  readonly #tables: Table<never>[];
  readonly #journal: Journal | undefined;
  readonly #secret = createHash('sha256').update('sandbox world').digest();
  readonly #closing = new AbortController();
  /** The rows of the seed, by key, until the journal is started. */
  readonly #seeded = new Map<string, string>();
  #recording = false;

  constructor(options: WorldOptions = {}) {
    const clock = options.clock ?? { now: () => Date.now() };
    this.clock = { now: () => clock.now() + this.#aheadMs };
    this.folder = options.folder;
    this.#usualSlice = options.differenceSlice ?? 100;
    this.differenceSlice = this.#usualSlice;
    this.#journal = options.folder ? new Journal(options.folder) : undefined;
    const watch = (change: Change): void => {
      if (this.#recording) this.#journal?.add(change);
    };
    this.users = new Table('users', (row) => String(row.id), watch);
    this.chats = new Table('chats', (row) => peerKey(row), watch);
    this.files = new Table('files', (row) => String(row.id), watch);
    this.messages = new Table('messages', (row) => `${row.box}/${row.id}`, watch, {
      added: (row) => this.#indexes.addMessage(row),
      removed: (row) => this.#indexes.removeMessage(row),
    });
    this.updates = new Table('updates', (row) => `${row.box}/${row.pts}`, watch, {
      added: (row) => this.#indexes.addUpdate(row),
      removed: (row) => this.#indexes.removeUpdate(row),
    });
    this.boxes = new Table('boxes', (row) => row.box, watch);
    this.dialogs = new Table('dialogs', (row) => `${row.owner}/${peerKey(row.peer)}`, watch);
    this.stories = new Table('stories', (row) => `${row.owner}/${row.id}`, watch);
    this.logins = new Table('logins', (row) => row.keyId, watch, {
      added: (row) => this.#indexes.addLogin(row),
      removed: (row) => this.#indexes.removeLogin(row),
    });
    this.tokens = new Table('tokens', (row) => row.token, watch);
    this.keys = new Table('keys', (row) => row.id, watch);
    this.meta = new Table('meta', (row) => row.name, watch);
    const tables = [
      this.users,
      this.chats,
      this.files,
      this.messages,
      this.updates,
      this.boxes,
      this.dialogs,
      this.stories,
      this.logins,
      this.tokens,
      this.keys,
      this.meta,
    ];
    this.#tables = tables as unknown as Table<never>[];
  }

  /** Fills the world with the seed, then with what the journal holds; writes nothing. */
  open(seed: (world: World) => void): void {
    seed(this);
    if (!this.#journal) return;
    for (const { key, row } of this.#everyRow()) this.#seeded.set(key, encodeRow(row));
    for (const change of this.#journal.read()) this.#apply(change);
  }

  /** From here on changes are written down. Bounds the journal to what differs from the seed, once the folder is ours. */
  startJournal(): void {
    if (!this.#journal) return;
    this.#journal.rewrite(this.#differences());
    // What an earlier start left half uploaded: nobody will ask for it.
    forgetUploads(this);
    this.#seeded.clear();
    this.#recording = true;
  }

  /** The seeded world again; every key but those of open connections is gone, and so is every login. */
  reset(seed: (world: World) => void): void {
    this.#recording = false;
    const keys = [...this.keys.values()];
    for (const table of this.#tables) table.clear();
    this.#indexes.clear();
    this.calls.clear();
    this.faults.clear();
    this.typing.clear();
    this.setDifferenceSlice(0);
    this.#aheadMs = 0;
    forgetUploads(this);
    removeBlobs(this);
    seed(this);
    this.#journal?.rewrite([]);
    this.#recording = this.#journal !== undefined;
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
    this.#recording = false;
    this.#journal?.close();
    removeTemporaryBlobs(this);
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

  box(box: PeerKey): BoxRow {
    return this.boxes.get(box) ?? this.boxes.put({ box, pts: 1, nextId: 1, minPts: 1 });
  }

  /** IDs of one chat's messages in a box, rising. */
  history(box: PeerKey, peer: PeerKey): readonly number[] {
    return this.#indexes.history(box, peer);
  }

  /** The chats that have messages in a box. */
  chatsIn(box: PeerKey): readonly PeerKey[] {
    return this.#indexes.chatsIn(box);
  }

  message(box: PeerKey, id: number): MessageRow | undefined {
    return this.messages.get(`${box}/${id}`);
  }

  /** The copies of a message: box and ID. */
  twins(twin: string): ReadonlyMap<PeerKey, number> {
    return this.#indexes.twins(twin);
  }

  sentWith(userId: number, randomId: bigint): { box: PeerKey; id: number } | undefined {
    return this.#indexes.sentWith(userId, randomId);
  }

  /** Updates of a box after `pts`, in order. */
  updatesAfter(box: PeerKey, pts: number): UpdateRow[] {
    const all = this.#indexes.updates(box);
    let first = all.length;
    while (first > 0 && (all[first - 1] as UpdateRow).pts > pts) first -= 1;
    return all.slice(first);
  }

  /** Counts an update in its box and remembers it. */
  record(update: Omit<UpdateRow, 'pts' | 'date'> & { date?: number }): UpdateRow {
    const counter = this.box(update.box);
    counter.pts += update.count;
    const row = this.updates.put({ date: this.now(), ...update, pts: counter.pts });
    const all = this.#indexes.updates(update.box);
    const oldest = all[0];
    if (all.length > rememberedUpdates && oldest) {
      counter.minPts = oldest.pts;
      this.updates.delete(this.updates.keyOf(oldest));
    }
    this.boxes.put(counter);
    return row;
  }

  /** 0: the usual number. */
  setDifferenceSlice(updates: number): void {
    this.differenceSlice = updates || this.#usualSlice;
  }

  /** Who has not fetched a box's updates so far gets `differenceTooLong`. */
  forgetUpdates(box: PeerKey): void {
    const counter = this.box(box);
    counter.minPts = counter.pts;
    for (const row of this.updatesAfter(box, 0)) this.updates.delete(this.updates.keyOf(row));
    this.boxes.put(counter);
  }

  /** The next message ID of a box. */
  nextId(box: PeerKey): number {
    const counter = this.box(box);
    const id = counter.nextId;
    counter.nextId += 1;
    this.boxes.put(counter);
    return id;
  }

  /** The logins of a user that are through: their keys take updates. */
  activeLogins(userId: number): LoginRow[] {
    return this.#indexes
      .keysOf(userId)
      .map((keyId) => this.logins.get(keyId))
      .filter((login) => login?.state === 'active') as LoginRow[];
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

  *#everyRow(): Generator<{ key: string; table: string; row: unknown }> {
    for (const table of this.#tables) {
      for (const row of table.values()) yield { key: `${table.name}:${table.keyOf(row)}`, table: table.name, row };
    }
  }

  *#differences(): Generator<Change> {
    const left = new Set(this.#seeded.keys());
    for (const { key, table, row } of this.#everyRow()) {
      left.delete(key);
      if (this.#seeded.get(key) !== encodeRow(row)) yield { table, put: row };
    }
    for (const key of left) {
      const colon = key.indexOf(':');
      yield { table: key.slice(0, colon), delete: key.slice(colon + 1) };
    }
  }

  #apply(change: Change): void {
    const table = this.#tables.find(({ name }) => name === change.table);
    if (!table) return;
    if ('put' in change) table.put(change.put as never);
    else table.delete(change.delete);
  }
}
