import type { StoredKey } from '../../rpc.ts';
import { Indexes } from './indexes.ts';
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

/** All the state of a world, and the ways to find it. */
export class Tables {
  /** Told of every change while somebody writes them down. */
  onChange: ((change: Change) => void) | undefined;
  readonly #indexes = new Indexes();
  readonly #watch = (change: Change): void => this.onChange?.(change);

  readonly users = new Table<UserRow>('users', (row) => String(row.id), this.#watch);
  readonly chats = new Table<ChatRow>('chats', (row) => peerKey(row), this.#watch);
  readonly files = new Table<FileRow>('files', (row) => String(row.id), this.#watch);
  readonly messages = new Table<MessageRow>('messages', (row) => `${row.box}/${row.id}`, this.#watch, {
    added: (row) => this.#indexes.addMessage(row),
    removed: (row) => this.#indexes.removeMessage(row),
  });
  readonly updates = new Table<UpdateRow>('updates', (row) => `${row.box}/${row.pts}`, this.#watch, {
    added: (row) => this.#indexes.addUpdate(row),
    removed: (row) => this.#indexes.removeUpdate(row),
  });
  readonly boxes = new Table<BoxRow>('boxes', (row) => row.box, this.#watch);
  readonly dialogs = new Table<DialogRow>('dialogs', (row) => `${row.owner}/${peerKey(row.peer)}`, this.#watch);
  readonly stories = new Table<StoryRow>('stories', (row) => `${row.owner}/${row.id}`, this.#watch);
  readonly logins = new Table<LoginRow>('logins', (row) => row.keyId, this.#watch, {
    added: (row) => this.#indexes.addLogin(row),
    removed: (row) => this.#indexes.removeLogin(row),
  });
  readonly tokens = new Table<TokenRow>('tokens', (row) => row.token, this.#watch);
  readonly keys = new Table<StoredKey>('keys', (row) => row.id, this.#watch);
  readonly meta = new Table<MetaRow>('meta', (row) => row.name, this.#watch);

  readonly all = [
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
  ] as unknown as readonly Table<never>[];

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

  /** The updates that a box remembers, in order. */
  updatesOf(box: PeerKey): readonly UpdateRow[] {
    return this.#indexes.updates(box);
  }

  /** The logins of a user that are through: their keys take updates. */
  activeLogins(userId: number): LoginRow[] {
    return this.#indexes
      .keysOf(userId)
      .map((keyId) => this.logins.get(keyId))
      .filter((login) => login?.state === 'active') as LoginRow[];
  }

  /** Forgets every row, untold. */
  protected clear(): void {
    for (const table of this.all) table.clear();
    this.#indexes.clear();
  }
}
