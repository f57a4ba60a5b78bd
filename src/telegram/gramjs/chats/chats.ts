import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import type { AccountChats, Chat, ChatDetails, ChatMember, ChatPhoto, HistoryPage } from '../../port/chats.ts';
import { NotConnectedError, NotJoinedError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import type { FileConnections } from '../files/file-connections.ts';
import { followFile } from '../files/follow-file.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { knownPeerOf } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';
import { askInside } from './ask-inside.ts';
import { chatMessage } from './chat-message.ts';
import { loadDialogs } from './dialogs.ts';
import { historyPage, type Messages } from './history.ts';
import { joinedChat } from './joined-chat.ts';
import { basicGroupMembers, supergroupMembers } from './members.ts';

export interface GramChatsDeps {
  clock: Clock;
  book: PeerCache;
  call: RpcCall;
  files: Pick<FileConnections, 'call'>;
  /** Resolves when the peers met so far are stored. */
  stored: () => Promise<void>;
}

/** How long the list of joined chats is cached, unless an update reports a change. */
const freshMs = 10_000;
const maxLoadMs = 10 * 60_000;
/** One part of a file: enough for any small photo (160 px), and a size that Telegram accepts. */
const photoBytes = 512 * 1024;

/** Groups and channels of a connected account. */
export class GramChats implements AccountChats {
  readonly #deps: GramChatsDeps;
  /** `until`: by the clock's `elapsed()`. */
  #joined: { chats: Promise<readonly Chat[]>; until: number } | undefined;

  constructor(deps: GramChatsDeps) {
    this.#deps = deps;
  }

  /** Must be called with every update. */
  note(update: Api.TypeUpdate): void {
    if (changesChats(update)) this.#joined = undefined;
  }

  async joined(signal: LightAbortSignal): Promise<readonly Chat[]> {
    const { clock } = this.#deps;
    if (this.#joined === undefined || this.#joined.until <= clock.elapsed()) this.#joined = this.#load();
    const { chats } = this.#joined;
    const tooLong = (): Error => new NotConnectedError('the list of dialogs takes too long');
    return withTimeout(clock, maxLoadMs, tooLong, () => chats, signal);
  }

  async get(peer: Peer, signal: LightAbortSignal): Promise<Chat> {
    const known = this.#known(peer);
    const request = isBasic(known)
      ? new Api.messages.GetChats({ id: [basicId(known)] })
      : new Api.channels.GetChannels({ id: [inputChannel(known)] });
    const { chats } = await this.#ask(known, request, signal);
    return this.#joinedIn(known, chats);
  }

  async details(peer: Peer, signal: LightAbortSignal): Promise<ChatDetails> {
    const { fullChat, users } = await this.#full(this.#known(peer), signal);
    const description = fullChat.about ?? '';
    if (!(fullChat instanceof Api.ChatFull)) return { description };
    const since = joinedSince(fullChat.participants, users);
    return { description, ...(since !== undefined && { joined: since * 1000 }) };
  }

  async photo(peer: Peer, { id, dc }: ChatPhoto, signal: LightAbortSignal): Promise<Buffer | undefined> {
    const location = new Api.InputPeerPhotoFileLocation({ peer: inputPeer(this.#known(peer)), photoId: bigInt(id) });
    const request = new Api.upload.GetFile({ location, offset: bigInt.zero, limit: photoBytes });
    const file = await followFile(dc, (where) => this.#deps.files.call(where, request, signal));
    return file instanceof Api.upload.File && file.bytes.length > 0 ? Buffer.from(file.bytes) : undefined;
  }

  async members(peer: Peer, limit: number, signal: LightAbortSignal): Promise<ChatMember[]> {
    const known = this.#known(peer);
    const call: RpcCall = (request, until) => this.#ask(known, request, until);
    const members = isBasic(known)
      ? basicGroupMembers(await this.#full(known, signal), limit)
      : await supergroupMembers(call, inputChannel(known), limit, signal);
    // The caller may use the IDs of the answer after a crash too (GR3), and no list of dialogs has them.
    await this.#deps.stored();
    return members;
  }

  async history(peer: Peer, before: number, signal: LightAbortSignal): Promise<HistoryPage> {
    const known = this.#known(peer);
    const page = await historyPage((offsetId, limit) => this.#messages(known, offsetId, limit, signal), before);
    const { chats, messages } = page.answer;
    return {
      // An answer without messages may not name the chat.
      chat: chats.some(isOf(known)) ? this.#joinedIn(known, chats) : await this.get(peer, signal),
      messages: messages.filter((message) => message instanceof Api.Message).map(chatMessage),
      before: page.before,
    };
  }

  /** Shared by all callers: when one of them aborts, the others still get the answer. */
  #load(): { chats: Promise<readonly Chat[]>; until: number } {
    const { call, clock } = this.#deps;
    const unending = new AbortController().signal;
    const load = async (): Promise<readonly Chat[]> => {
      try {
        const entities = await loadDialogs((request) => call(request, unending));
        loading.until = clock.elapsed() + freshMs;
        return entities.flatMap((entity) => joinedChat(entity) ?? []);
      } catch (error) {
        loading.until = 0;
        throw error;
      }
    };
    const loading = { until: Infinity, chats: Promise.resolve<readonly Chat[]>([]) };
    loading.chats = load();
    // Each caller has its own timeout, and may have given up before.
    loading.chats.catch(() => {});
    return loading;
  }

  async #full(known: KnownPeer, signal: LightAbortSignal): Promise<Api.messages.ChatFull> {
    const request = isBasic(known)
      ? new Api.messages.GetFullChat({ chatId: basicId(known) })
      : new Api.channels.GetFullChannel({ channel: inputChannel(known) });
    const full = await this.#ask(known, request, signal);
    this.#joinedIn(known, full.chats);
    return full;
  }

  async #messages(known: KnownPeer, offsetId: number, limit: number, signal: LightAbortSignal): Promise<Messages> {
    const request = new Api.messages.GetHistory({
      peer: inputPeer(known),
      offsetId,
      limit,
      offsetDate: 0,
      addOffset: 0,
      maxId: 0,
      minId: 0,
      hash: long(0n),
    });
    const answer = await this.#ask(known, request, signal);
    if (answer instanceof Api.messages.MessagesNotModified) throw new Error('telegram left out what was asked for');
    return answer;
  }

  #ask<R extends Api.AnyRequest>(known: KnownPeer, request: R, signal: LightAbortSignal): Promise<R['__response']> {
    return askInside(this.#deps, known, request, signal);
  }

  #joinedIn(known: KnownPeer, chats: readonly Api.TypeChat[]): Chat {
    const entity = chats.find(isOf(known));
    const chat = entity && joinedChat(entity);
    if (chat === undefined) throw new NotJoinedError(`the account is not in ${known.id}`);
    return chat;
  }

  #known(peer: Peer): KnownPeer {
    return knownPeer(this.#deps.book, peer);
  }
}

const isOf =
  ({ id }: KnownPeer) =>
  (chat: Api.TypeChat): boolean =>
    knownPeerOf(chat)?.id === id;
const isBasic = ({ hash }: KnownPeer): boolean => hash === undefined;
const basicId = ({ id }: KnownPeer): bigInt.BigInteger => bigInt(id.slice('-'.length));

/** When the account joined a basic group, in seconds; undefined for its creator. */
function joinedSince(participants: Api.TypeChatParticipants, users: readonly Api.TypeUser[]): number | undefined {
  const self = users.find((user) => user instanceof Api.User && user.self)?.id.toString();
  const own =
    participants instanceof Api.ChatParticipants
      ? participants.participants.find(({ userId }) => userId.toString() === self)
      : participants.selfParticipant;
  return own === undefined || own === null || own instanceof Api.ChatParticipantCreator ? undefined : own.date;
}

/**
 * Whether an update may change the list of chats: joined, left or renamed ones, by a service message or an update of
 * their own.
 */
function changesChats(update: Api.TypeUpdate): boolean {
  if (update instanceof Api.UpdateNewMessage || update instanceof Api.UpdateNewChannelMessage) {
    return update.message instanceof Api.MessageService;
  }
  return (
    update instanceof Api.UpdateChannel ||
    update instanceof Api.UpdateChat ||
    update.className.startsWith('UpdateChatP')
  );
}
