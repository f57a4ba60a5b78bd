import type { StoredKey } from '../../rpc.ts';
import type { InviteRow, JoinRequestRow, NoticeRow, TopicReadRow, TopicRow } from './chat-rows.ts';
import type { FileRow } from './file-rows.ts';
import { Indexes } from './indexes.ts';
import type { CodeRow, LogoutTokenRow, RecoveryRow } from './login-rows.ts';
import type { EventRow, MessageRow, ReactionsRow, UpdateRow } from './message-rows.ts';
import { type PeerKey, peerKey } from './peer.ts';
import type { PollRow, ScheduledRow } from './poll-rows.ts';
import type { BoxRow, ChatRow, DialogRow, LoginRow, MetaRow, StoryRow, TokenRow, UserRow } from './rows.ts';
import { Table, type TableChange } from './table.ts';

/** The last result of a count. Clients ask for it often, and histories mostly grow at their end. */
interface CountedUnread {
  readInbox: number;
  /** The number of messages in the history, and the ID of the last one. */
  length: number;
  last: number | undefined;
  unread: number;
}

/** All the stored state of a world, and the indexes over it. */
export class Tables {
  /** Called after each change. Set while the journal records. */
  onChange: ((change: TableChange) => void) | undefined;
  readonly #indexes = new Indexes();
  readonly #changed = (change: TableChange): void => this.onChange?.(change);

  readonly users = new Table<UserRow>('users', (row) => String(row.id), this.#changed);
  readonly chats = new Table<ChatRow>('chats', (row) => peerKey(row), this.#changed);
  readonly files = new Table<FileRow>('files', (row) => String(row.id), this.#changed);
  readonly messages = new Table<MessageRow>('messages', (row) => `${row.box}/${row.id}`, this.#changed, {
    added: (row) => this.#indexes.addMessage(row),
    removed: (row) => this.#indexes.removeMessage(row),
  });
  readonly updates = new Table<UpdateRow>('updates', (row) => `${row.box}/${row.pts}`, this.#changed, {
    added: (row) => this.#indexes.addUpdate(row),
    removed: (row) => this.#indexes.removeUpdate(row),
  });
  readonly events = new Table<EventRow>('events', (row) => `${row.owner}/${row.seq}`, this.#changed, {
    added: (row) => this.#indexes.addEvent(row),
    removed: (row) => this.#indexes.removeEvent(row),
  });
  readonly reactions = new Table<ReactionsRow>('reactions', (row) => row.twin, this.#changed);
  readonly polls = new Table<PollRow>('polls', (row) => row.id, this.#changed);
  readonly scheduled = new Table<ScheduledRow>(
    'scheduled',
    ({ owner, message }) => `${owner}/${peerKey(message.peer)}/${message.id}`,
    this.#changed,
  );
  readonly boxes = new Table<BoxRow>('boxes', (row) => row.box, this.#changed);
  readonly dialogs = new Table<DialogRow>('dialogs', (row) => `${row.owner}/${peerKey(row.peer)}`, this.#changed);
  readonly notices = new Table<NoticeRow>(
    'notices',
    (row) => `${row.owner}/${row.kind}/${peerKey(row.peer)}`,
    this.#changed,
  );
  readonly invites = new Table<InviteRow>('invites', (row) => row.hash, this.#changed);
  readonly joinRequests = new Table<JoinRequestRow>(
    'joinRequests',
    (row) => `${peerKey(row.chat)}/${row.userId}`,
    this.#changed,
  );
  readonly topics = new Table<TopicRow>('topics', (row) => `${row.channel}/${row.id}`, this.#changed);
  readonly topicReads = new Table<TopicReadRow>(
    'topicReads',
    (row) => `${row.owner}/${row.channel}/${row.topic}`,
    this.#changed,
  );
  readonly stories = new Table<StoryRow>('stories', (row) => `${row.owner}/${row.id}`, this.#changed);
  readonly logins = new Table<LoginRow>('logins', (row) => row.keyId, this.#changed, {
    added: (row) => this.#indexes.addLogin(row),
    removed: (row) => this.#indexes.removeLogin(row),
  });
  readonly tokens = new Table<TokenRow>('tokens', (row) => row.token, this.#changed);
  readonly codes = new Table<CodeRow>('codes', (row) => row.hash, this.#changed);
  readonly recoveries = new Table<RecoveryRow>('recoveries', (row) => String(row.userId), this.#changed);
  readonly logoutTokens = new Table<LogoutTokenRow>('logoutTokens', (row) => row.token, this.#changed);
  readonly keys = new Table<StoredKey>('keys', (row) => row.id, this.#changed);
  /** By user and chat. */
  readonly unreadCounts = new Map<string, CountedUnread>();
  readonly meta = new Table<MetaRow>('meta', (row) => row.name, this.#changed);

  readonly all = [
    this.users,
    this.chats,
    this.files,
    this.messages,
    this.updates,
    this.events,
    this.reactions,
    this.polls,
    this.scheduled,
    this.boxes,
    this.dialogs,
    this.notices,
    this.invites,
    this.joinRequests,
    this.topics,
    this.topicReads,
    this.stories,
    this.logins,
    this.tokens,
    this.codes,
    this.recoveries,
    this.logoutTokens,
    this.keys,
    this.meta,
  ] as unknown as readonly Table<never>[];

  /** The counters of a message box; made when first asked for. */
  box(box: PeerKey): BoxRow {
    return this.boxes.get(box) ?? this.boxes.put({ box, pts: 1, nextId: 1, minPts: 1 });
  }

  /** The message IDs of one chat in a box, in rising order. */
  history(box: PeerKey, peer: PeerKey): readonly number[] {
    return this.#indexes.history(box, peer);
  }

  /** The chats that have messages in a box. */
  chatsInBox(box: PeerKey): readonly PeerKey[] {
    return this.#indexes.chatsInBox(box);
  }

  message(box: PeerKey, id: number): MessageRow | undefined {
    return this.messages.get(`${box}/${id}`);
  }

  /** The copies of a message: its ID in each box. `twin` is the field that all copies share. */
  copiesOf(twin: string): ReadonlyMap<PeerKey, number> {
    return this.#indexes.copiesOf(twin);
  }

  /** The message that a user has sent with this `random_id`, even if it was deleted since. */
  findByRandomId(userId: number, randomId: bigint): { box: PeerKey; id: number } | undefined {
    return this.#indexes.findByRandomId(userId, randomId);
  }

  /** The updates that are kept of a box, in order. */
  updatesInBox(box: PeerKey): readonly UpdateRow[] {
    return this.#indexes.updatesInBox(box);
  }

  /** The updates without `pts` that are kept for a user, in order. */
  eventsOf(owner: number): readonly EventRow[] {
    return this.#indexes.eventsOf(owner);
  }

  /** The completed logins of a user: their keys get updates. */
  activeLogins(userId: number): LoginRow[] {
    return this.#indexes
      .keysOf(userId)
      .map((keyId) => this.logins.get(keyId))
      .filter((login) => login?.state === 'active') as LoginRow[];
  }

  /** Removes all rows without reporting a change. */
  clear(): void {
    for (const table of this.all) table.clear();
    this.unreadCounts.clear();
    this.#indexes.clear();
  }
}
