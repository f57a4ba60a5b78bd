import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { ChatUser } from '../../port/updates.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputUser } from './input-peer.ts';
import { accountOf } from './profile.ts';

/** Of one account: those it is writing with at the moment. */
const mostUsers = 200;
/** Asked for in one request. */
const mostAtOnce = 100;

/** Names of those whom an account writes with: as its updates tell them, else asked for. */
export class ChatUsers {
  readonly #book: PeerCache;
  readonly #call: RpcCall;
  /** The longest not asked for first; made when the first one is known. */
  #users: Map<string, ChatUser> | undefined;

  constructor(book: PeerCache, call: RpcCall) {
    this.#book = book;
    this.#call = call;
  }

  /** Whoever an update or a difference brings along. Of a `min` user not everything is told. */
  learn(from: unknown): void {
    const { users } = Object(from) as { users?: unknown };
    if (!Array.isArray(users)) return;
    for (const user of users) if (user instanceof Api.User && !user.min) this.#put(accountOf(user));
  }

  /** Whether {@link find} has something to go by. */
  canFind(id: string): boolean {
    return this.#users?.has(id) === true || this.#book.get(id) !== undefined;
  }

  /** Something about them has changed: they are asked for anew. */
  forget(id: string): void {
    this.#users?.delete(id);
  }

  /**
   * All of them; of whom Telegram tells nothing there is the ID alone.
   * @throws {NotConnectedError} the signal's reason
   */
  async find(ids: ReadonlySet<string>, signal: LightAbortSignal): Promise<Map<string, ChatUser>> {
    // Held here: there may be more of them than are kept.
    const found = new Map<string, ChatUser>();
    const unknown: string[] = [];
    for (const id of ids) {
      const user = this.#get(id);
      if (user === undefined) unknown.push(id);
      else found.set(id, user);
    }
    for (let from = 0; from < unknown.length; from += mostAtOnce) {
      const page = unknown.slice(from, from + mostAtOnce);
      await this.#ask(page, signal);
      for (const id of page) found.set(id, this.#get(id) ?? { id, name: '', username: '', phone: '' });
    }
    return found;
  }

  async #ask(ids: readonly string[], signal: LightAbortSignal): Promise<void> {
    const id = ids.map((each) => inputUser(this.#book.get(each) ?? { kind: 'user', id: each }));
    try {
      this.learn({ users: await this.#call(new Api.users.GetUsers({ id }), signal) });
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      // One that Telegram takes offence at must not leave the others nameless.
      if (ids.length > 1) for (const each of ids) await this.#ask([each], signal);
    }
  }

  #get(id: string): ChatUser | undefined {
    const user = this.#users?.get(id);
    if (user !== undefined) this.#put(user);
    return user;
  }

  #put(user: ChatUser): void {
    this.#users ??= new Map();
    this.#users.delete(user.id);
    this.#users.set(user.id, user);
    for (const oldest of this.#users.keys()) {
      if (this.#users.size <= mostUsers) break;
      this.#users.delete(oldest);
    }
  }
}
