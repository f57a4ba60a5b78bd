import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { ChatUser } from '../../port/updates.ts';
import { usernameOf } from '../chats/joined-chat.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';

/** A group or channel as messages show it. */
export interface NamedChat extends ChatUser {
  kind: 'group' | 'channel';
  isForum: boolean;
}

/** The number of chats kept for one account. */
const maxChats = 200;

/** Names of an account's groups and channels, from its updates or else from requests. */
export class ChatNames {
  readonly #book: PeerCache;
  readonly #call: RpcCall;
  /** By ID; created with the first chat. */
  #chats: LruMap<string, NamedChat> | undefined;

  constructor(book: PeerCache, call: RpcCall) {
    this.#book = book;
    this.#call = call;
  }

  /** Learns the groups and channels of an update or an answer. */
  learn(from: unknown): void {
    const { chats } = Object(from) as { chats?: unknown };
    if (!Array.isArray(chats)) return;
    for (const chat of chats) {
      const named = namedChat(chat);
      if (named === undefined) continue;
      this.#chats ??= new LruMap(maxChats);
      this.#chats.set(named.id, named);
    }
  }

  /**
   * A group or channel; one that Telegram does not show has only its ID.
   * @throws {NotConnectedError} the signal's reason
   */
  async find(id: string, signal: LightAbortSignal): Promise<NamedChat> {
    const known = this.#chats?.get(id);
    if (known !== undefined) return known;
    await this.#ask(id, signal);
    const kind = this.#book.get(id)?.kind === 'channel' ? 'channel' : 'group';
    return this.#chats?.get(id) ?? { id, kind, name: '', username: '', phone: '', isForum: false };
  }

  async #ask(id: string, signal: LightAbortSignal): Promise<void> {
    const { hash } = this.#book.get(id) ?? {};
    try {
      if (hash === undefined) {
        this.learn(await this.#call(new Api.messages.GetChats({ id: [bigInt(id.slice(1))] }), signal));
      } else {
        const channel = new Api.InputChannel({ channelId: bigInt(id.slice(4)), accessHash: bigInt(hash) });
        this.learn(await this.#call(new Api.channels.GetChannels({ id: [channel] }), signal));
      }
    } catch (error) {
      // It has left, or was thrown out.
      if (!(error instanceof TelegramError)) throw error;
    }
  }
}

function namedChat(chat: unknown): NamedChat | undefined {
  if (chat instanceof Api.ChatForbidden || chat instanceof Api.ChannelForbidden) {
    const id = chat instanceof Api.ChatForbidden ? `-${chat.id.toString()}` : `-100${chat.id.toString()}`;
    const kind = chat instanceof Api.ChannelForbidden && chat.broadcast ? 'channel' : 'group';
    return { id, kind, name: chat.title, username: '', phone: '', isForum: false };
  }
  if (!(chat instanceof Api.Chat || chat instanceof Api.Channel)) return undefined;
  const isChannel = chat instanceof Api.Channel;
  const { photo } = chat;
  return {
    id: `${isChannel ? '-100' : '-'}${chat.id.toString()}`,
    kind: isChannel && chat.broadcast ? 'channel' : 'group',
    name: chat.title,
    username: isChannel ? usernameOf(chat) : '',
    phone: '',
    isForum: isChannel && chat.forum === true,
    ...(photo instanceof Api.ChatPhoto && { photoId: photo.photoId.toString() }),
  };
}
