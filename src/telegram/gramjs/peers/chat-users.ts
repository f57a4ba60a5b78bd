import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { ChatUser } from '../../port/updates.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputUser } from './input-peer.ts';
import { accountOf } from './profile.ts';

/** The number of users kept for one account: those in current conversations. */
const maxUsers = 200;
/** The number of users in one request. */
const maxAtOnce = 100;

/** Names of the people an account writes with, from its updates or else from requests. */
export class ChatUsers {
  readonly #book: PeerCache;
  readonly #call: RpcCall;
  /** By ID; created with the first user. */
  #users: LruMap<string, ChatUser> | undefined;
  /** Members of groups, as far as their messages show them: Telegram gives no more of those whom the account has not met. */
  #incomplete: LruMap<string, ChatUser> | undefined;

  constructor(book: PeerCache, call: RpcCall) {
    this.#book = book;
    this.#call = call;
  }

  /** Learns the users of an update or a difference. A `min` user is incomplete. */
  learn(from: unknown): void {
    const { users } = Object(from) as { users?: unknown };
    if (!Array.isArray(users)) return;
    for (const user of users) {
      if (!(user instanceof Api.User)) continue;
      if (!user.min) this.#put(chatUserOf(user));
      else if (!this.#users?.has(user.id.toString())) this.#putIncomplete(chatUserOf(user));
    }
  }

  /** Whether {@link find} can ask for the user. */
  canFind(id: string): boolean {
    return this.#users?.has(id) === true || this.#book.get(id) !== undefined;
  }

  /** A user as far as updates have shown them; a member of a group may be incomplete. */
  seen(id: string): ChatUser | undefined {
    return this.#users?.get(id) ?? this.#incomplete?.get(id);
  }

  /** Marks a user as changed, so that it is fetched again. */
  forget(id: string): void {
    this.#users?.delete(id);
  }

  /**
   * All of the users; those unknown to Telegram have only their ID.
   * @throws {NotConnectedError} the signal's reason
   */
  async find(ids: ReadonlySet<string>, signal: LightAbortSignal): Promise<Map<string, ChatUser>> {
    // Kept in a local map: there may be more than the cache holds.
    const found = new Map<string, ChatUser>();
    const unknown: string[] = [];
    for (const id of ids) {
      const user = this.#users?.get(id);
      if (user === undefined) unknown.push(id);
      else found.set(id, user);
    }
    for (let from = 0; from < unknown.length; from += maxAtOnce) {
      const page = unknown.slice(from, from + maxAtOnce);
      await this.#ask(page, signal);
      for (const id of page) found.set(id, this.#users?.get(id) ?? { id, name: '', username: '', phone: '' });
    }
    return found;
  }

  async #ask(ids: readonly string[], signal: LightAbortSignal): Promise<void> {
    const id = ids.map((each) => inputUser(this.#book.get(each) ?? { kind: 'user', id: each }));
    try {
      this.learn({ users: await this.#call(new Api.users.GetUsers({ id }), signal) });
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      // A user that Telegram refuses must not leave the others without names.
      if (ids.length > 1) for (const each of ids) await this.#ask([each], signal);
    }
  }

  #putIncomplete(user: ChatUser): void {
    this.#incomplete ??= new LruMap(maxUsers);
    this.#incomplete.set(user.id, user);
  }

  #put(user: ChatUser): void {
    this.#users ??= new LruMap(maxUsers);
    this.#users.set(user.id, user);
  }
}

/** A user as the other side of a chat. */
export function chatUserOf(user: Api.User): ChatUser {
  const { photo } = user;
  const hasPhoto = photo instanceof Api.UserProfilePhoto;
  return { ...accountOf(user), ...(hasPhoto && { photoId: photo.photoId.toString() }) };
}
