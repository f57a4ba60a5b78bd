import type { TlObject } from '../../../../sandbox/rpc.ts';
import { describeChat, isMember, keyOf, namesIn } from './describe-chat.ts';
import type { RawLogin } from './raw-login.ts';

interface Dialog {
  /** The ID of the newest message. */
  top: number;
  unread: number;
}

/** What a client knows of all its chats: read once, and folded from then on from what it is pushed. */
export class ChatPicture {
  readonly #login: RawLogin;
  readonly #dialogs = new Map<string, Dialog>();
  readonly #chats = new Map<string, TlObject>();
  readonly #users = new Map<string, TlObject>();
  readonly #members = new Map<string, unknown>();
  readonly #rights = new Map<string, TlObject>();
  /** Known messages that are not read, by chat. */
  readonly #unread = new Map<string, Set<number>>();
  readonly #ids = new Map<string, number[]>();
  /** The `pts` of channels. */
  readonly #pts = new Map<string, number>();
  #state = { pts: 0, date: 0 };
  /** While the client catches up: the channels to ask about when it has. */
  #toRead: Set<string> | undefined;

  private constructor(login: RawLogin) {
    this.#login = login;
  }

  static async read(login: RawLogin): Promise<ChatPicture> {
    const picture = new ChatPicture(login);
    const answer = await login.call('messages.getDialogs', { offset_peer: { _: 'inputPeerEmpty' }, limit: 100 });
    picture.#take(answer);
    for (const dialog of answer['dialogs'] as TlObject[]) picture.#takeDialog(dialog);
    for (const chat of answer['chats'] as TlObject[]) if (chat._ === 'chat') await picture.#readMembers(chat);
    const { pts, date } = await login.call('updates.getState');
    picture.#state = { pts, date };
    return picture;
  }

  /** Reads what was missed since the picture was read, as a client does that was away. */
  async catchUp(): Promise<void> {
    this.#toRead = new Set();
    const channels = new Set<string>();
    for await (const container of this.#login.missed(this.#state)) {
      await this.#fold(container);
      for (const { _: name, channel_id } of container['updates'] as TlObject[]) {
        if (name === 'updateChannelTooLong') channels.add(`channel:${channel_id}`);
      }
    }
    for (const key of channels) if (!this.#toRead.has(key)) await this.#catchUpChannel(key);
    for (const key of this.#toRead) if (isMember(this.#chats.get(key))) await this.#readDialog(key);
    this.#toRead = undefined;
  }

  async #catchUpChannel(key: string): Promise<void> {
    const chat = this.#chats.get(key);
    const channel = { _: 'inputChannel', channel_id: chat?.['id'], access_hash: chat?.['access_hash'] };
    const filter = { _: 'channelMessagesFilterEmpty' };
    for (let isFinal = false; !isFinal; ) {
      const params = { channel, filter, pts: this.#pts.get(key) ?? 1, limit: 100 };
      const answer = await this.#login.call('updates.getChannelDifference', params);
      const fresh = (answer['new_messages'] ?? []) as TlObject[];
      const updates = fresh.map((message) => ({ _: 'updateNewChannelMessage', message }));
      await this.#fold({ ...answer, updates: [...updates, ...((answer['other_updates'] ?? []) as TlObject[])] });
      this.#pts.set(key, answer['pts']);
      isFinal = answer['final'];
    }
  }

  async #readMembers({ id }: TlObject): Promise<void> {
    const answer = await this.#login.call('messages.getFullChat', { chat_id: id });
    this.#take(answer);
    this.#takeMembers(answer['full_chat'].participants);
  }

  /** Folds what was pushed, and asks again for what a client has to ask for. */
  async follow(): Promise<void> {
    for (const container of await this.#login.pushed()) await this.#fold(container);
  }

  async #fold(container: TlObject): Promise<void> {
    if (container._ === 'updateShort') return this.#apply(container['update']);
    if (container._ === 'updateShortMessage' || container._ === 'updateShortChatMessage') {
      const { id, out, user_id, chat_id } = container;
      const key = user_id === undefined ? `chat:${chat_id}` : `user:${user_id}`;
      return this.#addMessage(key, id, out);
    }
    this.#take(container);
    for (const update of (container['updates'] ?? []) as TlObject[]) await this.#apply(update);
  }

  async #apply(update: TlObject): Promise<void> {
    const { message, channel_id } = update;
    switch (update._) {
      case 'updateNewMessage':
      case 'updateNewChannelMessage':
        return this.#addMessage(keyOf(message.peer_id), message.id, message.out);
      case 'updateDeleteMessages':
        return this.#deleteMessages(undefined, update['messages']);
      case 'updateDeleteChannelMessages':
        return this.#deleteMessages(`channel:${channel_id}`, update['messages']);
      case 'updateReadHistoryInbox':
        return this.#markRead(keyOf(update['peer']), update);
      case 'updateReadChannelInbox':
        this.#toRead?.add(`channel:${channel_id}`);
        return this.#markRead(`channel:${channel_id}`, update);
      case 'updateChatParticipants':
        return this.#takeMembers(update['participants']);
      case 'updateChatDefaultBannedRights':
        return void this.#rights.set(keyOf(update['peer']), update['default_banned_rights']);
      case 'updateUserName':
        return this.#rename(update);
      case 'updateChannel':
        return this.#takeMembership(`channel:${channel_id}`);
    }
  }

  #take({ chats = [], users = [] }: TlObject): void {
    for (const chat of chats as TlObject[]) {
      const key = `${chat._.startsWith('chat') ? 'chat' : 'channel'}:${chat['id']}`;
      this.#chats.set(key, chat);
      if (chat['default_banned_rights']) this.#rights.set(key, chat['default_banned_rights']);
    }
    for (const user of users as TlObject[]) this.#users.set(`user:${user['id']}`, user);
  }

  #takeDialog({ peer, top_message, unread_count, pts }: TlObject): void {
    const key = keyOf(peer);
    if (pts) this.#pts.set(key, pts);
    this.#dialogs.set(key, { top: top_message, unread: unread_count });
    this.#ids.set(key, []);
    this.#unread.set(key, new Set());
  }

  #takeMembers({ _: kind, chat_id, participants }: TlObject): void {
    const key = `chat:${chat_id}`;
    if (kind !== 'chatParticipants') return void this.#members.delete(key);
    const members = (participants as TlObject[]).map(({ _: role, user_id }) => `${user_id} ${role}`);
    this.#members.set(key, members.toSorted());
  }

  #rename({ user_id, first_name, last_name, usernames }: TlObject): void {
    const key = `user:${user_id}`;
    const username = (usernames as TlObject[])[0]?.['username'];
    const known = this.#users.get(key) ?? { _: 'user', id: user_id };
    this.#users.set(key, {
      ...known,
      first_name: first_name || undefined,
      last_name: last_name || undefined,
      username,
    });
  }

  /** Who has come into a channel asks for its messages: those before were not pushed. */
  async #takeMembership(key: string): Promise<void> {
    if (!isMember(this.#chats.get(key))) return this.#forget(key);
    if (this.#toRead) return void this.#toRead.add(key);
    if (!this.#dialogs.get(key)?.top) await this.#readDialog(key);
  }

  #forget(key: string): void {
    for (const known of [this.#dialogs, this.#ids, this.#unread]) known.delete(key);
  }

  async #readDialog(key: string): Promise<void> {
    const peer = inputPeerOf(key, this.#chats.get(key) ?? this.#users.get(key));
    const answer = await this.#login.call('messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer }] });
    this.#take(answer);
    for (const dialog of answer['dialogs'] as TlObject[]) this.#takeDialog(dialog);
  }

  async #addMessage(key: string, id: number, isOut: boolean): Promise<void> {
    const before = this.#dialogs.get(key) ?? { top: 0, unread: 0 };
    // Already there, if the dialog was read after the message was sent.
    if (id <= before.top) return;
    this.#dialogs.set(key, { top: id, unread: before.unread + (isOut ? 0 : 1) });
    getOrAdd(this.#ids, key, () => []).push(id);
    if (!isOut) getOrAdd(this.#unread, key, () => new Set<number>()).add(id);
  }

  async #deleteMessages(channel: string | undefined, deleted: number[]): Promise<void> {
    const keys = channel ? [channel] : [...this.#dialogs.keys()].filter((key) => !key.startsWith('channel:'));
    for (const key of keys) {
      const dialog = this.#dialogs.get(key);
      if (!dialog) continue;
      const known = this.#ids.get(key) ?? [];
      const ids = known.filter((id) => !deleted.includes(id));
      const unread = deleted.filter((id) => this.#unread.get(key)?.delete(id)).length;
      this.#ids.set(key, ids);
      const isTopGone = deleted.includes(dialog.top);
      // Of a message that was there when the dialog was read, a client does not know whether it was read.
      const isOlder = channel !== undefined && deleted.some((id) => !known.includes(id));
      if (isOlder || (isTopGone && ids.length === 0)) await this.#readDialog(key);
      else
        this.#dialogs.set(key, {
          top: isTopGone ? (ids.at(-1) as number) : dialog.top,
          unread: dialog.unread - unread,
        });
    }
  }

  #markRead(key: string, { max_id, still_unread_count }: TlObject): void {
    for (const id of this.#unread.get(key) ?? []) if (id <= max_id) this.#unread.get(key)?.delete(id);
    const dialog = this.#dialogs.get(key);
    if (!dialog) return;
    // In a difference all messages come first: those after this update have been counted already.
    const unread = this.#toRead ? (this.#unread.get(key)?.size ?? 0) : still_unread_count;
    this.#dialogs.set(key, { ...dialog, unread });
  }

  /** The chats that the user is in, in a form that can be compared. */
  describe(): Record<string, unknown> {
    const shown = [...this.#dialogs].filter(([key]) =>
      key.startsWith('user:') ? this.#dialogs.get(key)?.top !== 0 : isMember(this.#chats.get(key)),
    );
    return Object.fromEntries(
      shown
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([key, dialog]) => {
          if (key.startsWith('user:')) return [key, { ...dialog, ...namesIn(this.#users.get(key)) }];
          const chat = describeChat(this.#chats.get(key) as TlObject, this.#rights.get(key));
          return [key, { ...dialog, ...chat, members: this.#members.get(key) }];
        }),
    );
  }
}

function inputPeerOf(key: string, object: TlObject | undefined): TlObject {
  const id = object?.['id'];
  const access_hash = object?.['access_hash'];
  if (key.startsWith('user:')) return { _: 'inputPeerUser', user_id: id, access_hash };
  if (key.startsWith('chat:')) return { _: 'inputPeerChat', chat_id: id };
  return { _: 'inputPeerChannel', channel_id: id, access_hash };
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
