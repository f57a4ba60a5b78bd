import type { EventRow, MessageRow, UpdateRow } from './message-rows.ts';
import { type PeerKey, peerKey } from './peer.ts';
import type { LoginRow } from './rows.ts';

/** A `random_id` cannot be used again after its message was deleted: this many are kept. */
const maxRetiredRandomIds = 10_000;

/** Finds rows by other fields than their key. The tables keep it up to date; it holds no state of its own. */
export class Indexes {
  /** Message IDs in rising order, by box and chat: `user:1001|user:1002`. */
  readonly #history = new Map<string, number[]>();
  readonly #chatsOfBox = new Map<PeerKey, Set<PeerKey>>();
  readonly #updatesOfBox = new Map<PeerKey, UpdateRow[]>();
  readonly #copies = new Map<string, Map<PeerKey, number>>();
  readonly #randomIds = new Map<string, { box: PeerKey; id: number }>();
  /** Those of deleted messages, oldest first. */
  readonly #retiredRandomIds = new Set<string>();
  readonly #eventsOfOwner = new Map<number, EventRow[]>();
  readonly #keysOfUser = new Map<number, Set<string>>();

  history(box: PeerKey, chat: PeerKey): readonly number[] {
    return this.#history.get(`${box}|${chat}`) ?? [];
  }

  chatsInBox(box: PeerKey): PeerKey[] {
    return [...(this.#chatsOfBox.get(box) ?? [])];
  }

  updatesInBox(box: PeerKey): readonly UpdateRow[] {
    return this.#updatesOfBox.get(box) ?? [];
  }

  eventsOf(owner: number): readonly EventRow[] {
    return this.#eventsOfOwner.get(owner) ?? [];
  }

  copiesOf(twin: string): ReadonlyMap<PeerKey, number> {
    return this.#copies.get(twin) ?? new Map();
  }

  findByRandomId(userId: number, randomId: bigint): { box: PeerKey; id: number } | undefined {
    return this.#randomIds.get(`${userId}/${randomId}`);
  }

  keysOf(userId: number): string[] {
    return [...(this.#keysOfUser.get(userId) ?? [])];
  }

  addMessage(row: MessageRow): void {
    const chat = peerKey(row.peer);
    const ids = getOrAdd(this.#history, `${row.box}|${chat}`, () => []);
    if (ids.length === 0 || (ids.at(-1) as number) < row.id) ids.push(row.id);
    else if (!ids.includes(row.id)) {
      const position = ids.findIndex((id) => id > row.id);
      ids.splice(position, 0, row.id);
    }
    getOrAdd(this.#chatsOfBox, row.box, () => new Set()).add(chat);
    getOrAdd(this.#copies, row.twin, () => new Map()).set(row.box, row.id);
    if (row.randomId) {
      const key = `${row.from}/${row.randomId}`;
      this.#randomIds.set(key, { box: row.box, id: row.id });
      this.#retiredRandomIds.delete(key);
    }
  }

  /** Keeps the `random_id`: a client that repeats the send after a deletion must get RANDOM_ID_DUPLICATE. */
  removeMessage(row: MessageRow): void {
    remove(this.#history.get(`${row.box}|${peerKey(row.peer)}`), row.id);
    const copies = this.#copies.get(row.twin);
    copies?.delete(row.box);
    if (copies?.size === 0) this.#copies.delete(row.twin);
    if (row.randomId) this.#retire(`${row.from}/${row.randomId}`);
  }

  #retire(randomId: string): void {
    this.#retiredRandomIds.add(randomId);
    const [oldest] = this.#retiredRandomIds;
    if (this.#retiredRandomIds.size <= maxRetiredRandomIds || oldest === undefined) return;
    this.#retiredRandomIds.delete(oldest);
    this.#randomIds.delete(oldest);
  }

  addUpdate(row: UpdateRow): void {
    getOrAdd(this.#updatesOfBox, row.box, () => []).push(row);
  }

  removeUpdate(row: UpdateRow): void {
    remove(this.#updatesOfBox.get(row.box), row);
  }

  addEvent(row: EventRow): void {
    getOrAdd(this.#eventsOfOwner, row.owner, () => []).push(row);
  }

  removeEvent(row: EventRow): void {
    remove(this.#eventsOfOwner.get(row.owner), row);
  }

  addLogin(row: LoginRow): void {
    getOrAdd(this.#keysOfUser, row.userId, () => new Set()).add(row.keyId);
  }

  removeLogin(row: LoginRow): void {
    this.#keysOfUser.get(row.userId)?.delete(row.keyId);
  }

  clear(): void {
    for (const index of [this.#history, this.#chatsOfBox, this.#updatesOfBox, this.#copies]) index.clear();
    this.#randomIds.clear();
    this.#retiredRandomIds.clear();
    this.#eventsOfOwner.clear();
    this.#keysOfUser.clear();
  }
}

function getOrAdd<Key, Value>(index: Map<Key, Value>, key: Key, make: () => Value): Value {
  let entry = index.get(key);
  if (entry === undefined) {
    entry = make();
    index.set(key, entry);
  }
  return entry;
}

function remove<Value>(list: Value[] | undefined, value: Value): void {
  const position = list?.indexOf(value) ?? -1;
  if (position >= 0) list?.splice(position, 1);
}
