import { type PeerKey, peerKey } from './peer.ts';
import type { LoginRow, MessageRow, UpdateRow } from './rows.ts';

/** `random_id`s of deleted messages that stay taken. */
const keptRandomIds = 10_000;

/** Ways to find rows other than by their key. Nothing here is state: the tables keep it up to date. */
export class Indexes {
  /** Message IDs of a chat in a box, rising: `user:1001|user:1002`. */
  readonly #history = new Map<string, number[]>();
  readonly #chatsOfBox = new Map<PeerKey, Set<PeerKey>>();
  readonly #updatesOfBox = new Map<PeerKey, UpdateRow[]>();
  readonly #twins = new Map<string, Map<PeerKey, number>>();
  readonly #randomIds = new Map<string, { box: PeerKey; id: number }>();
  /** Those of deleted messages, the oldest first. */
  readonly #retiredRandomIds = new Set<string>();
  readonly #keysOfUser = new Map<number, Set<string>>();

  history(box: PeerKey, chat: PeerKey): readonly number[] {
    return this.#history.get(`${box}|${chat}`) ?? [];
  }

  chatsIn(box: PeerKey): PeerKey[] {
    return [...(this.#chatsOfBox.get(box) ?? [])];
  }

  updates(box: PeerKey): readonly UpdateRow[] {
    return this.#updatesOfBox.get(box) ?? [];
  }

  twins(twin: string): ReadonlyMap<PeerKey, number> {
    return this.#twins.get(twin) ?? new Map();
  }

  sentWith(userId: number, randomId: bigint): { box: PeerKey; id: number } | undefined {
    return this.#randomIds.get(`${userId}/${randomId}`);
  }

  keysOf(userId: number): string[] {
    return [...(this.#keysOfUser.get(userId) ?? [])];
  }

  addMessage(row: MessageRow): void {
    const chat = peerKey(row.peer);
    const ids = entryOf(this.#history, `${row.box}|${chat}`, () => []);
    if (ids.length === 0 || (ids.at(-1) as number) < row.id) ids.push(row.id);
    else if (!ids.includes(row.id)) {
      const place = ids.findIndex((id) => id > row.id);
      ids.splice(place, 0, row.id);
    }
    entryOf(this.#chatsOfBox, row.box, () => new Set()).add(chat);
    entryOf(this.#twins, row.twin, () => new Map()).set(row.box, row.id);
    if (row.randomId) {
      const key = `${row.from}/${row.randomId}`;
      this.#randomIds.set(key, { box: row.box, id: row.id });
      this.#retiredRandomIds.delete(key);
    }
  }

  /** The `random_id` stays taken for a good while: what was sent and deleted is not sent again. */
  removeMessage(row: MessageRow): void {
    remove(this.#history.get(`${row.box}|${peerKey(row.peer)}`), row.id);
    const twins = this.#twins.get(row.twin);
    twins?.delete(row.box);
    if (twins?.size === 0) this.#twins.delete(row.twin);
    if (row.randomId) this.#retire(`${row.from}/${row.randomId}`);
  }

  #retire(randomId: string): void {
    this.#retiredRandomIds.add(randomId);
    const [oldest] = this.#retiredRandomIds;
    if (this.#retiredRandomIds.size <= keptRandomIds || oldest === undefined) return;
    this.#retiredRandomIds.delete(oldest);
    this.#randomIds.delete(oldest);
  }

  addUpdate(row: UpdateRow): void {
    entryOf(this.#updatesOfBox, row.box, () => []).push(row);
  }

  removeUpdate(row: UpdateRow): void {
    remove(this.#updatesOfBox.get(row.box), row);
  }

  addLogin(row: LoginRow): void {
    entryOf(this.#keysOfUser, row.userId, () => new Set()).add(row.keyId);
  }

  removeLogin(row: LoginRow): void {
    this.#keysOfUser.get(row.userId)?.delete(row.keyId);
  }

  clear(): void {
    for (const index of [this.#history, this.#chatsOfBox, this.#updatesOfBox, this.#twins]) index.clear();
    this.#randomIds.clear();
    this.#retiredRandomIds.clear();
    this.#keysOfUser.clear();
  }
}

function entryOf<Key, Value>(index: Map<Key, Value>, key: Key, make: () => Value): Value {
  let entry = index.get(key);
  if (entry === undefined) {
    entry = make();
    index.set(key, entry);
  }
  return entry;
}

function remove<Value>(list: Value[] | undefined, value: Value): void {
  const place = list?.indexOf(value) ?? -1;
  if (place >= 0) list?.splice(place, 1);
}
