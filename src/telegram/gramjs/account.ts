import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../actors/kit/lru-map.ts';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { KnownPeer, PeerCache } from '../peer-cache.ts';
import type { TelegramAccount } from '../port/account.ts';
import type { ChatAdministration } from '../port/administration.ts';
import type { ChatActions } from '../port/chat-actions.ts';
import {
  InvalidUsernameError,
  NotConnectedError,
  NotJoinedError,
  PeerNotFoundError,
  PhoneNotFoundError,
  TelegramError,
} from '../port/errors.ts';
import type { AccountFiles } from '../port/files.ts';
import type { Interactions } from '../port/interactions.ts';
import type { MessageActions } from '../port/message-actions.ts';
import type { Peer } from '../port/peer.ts';
import type { OwnAccount, People } from '../port/people.ts';
import type { RawMethods } from '../port/raw.ts';
import type { ChatReading } from '../port/reading.ts';
import type { ForumTopics } from '../port/topics.ts';
import { basicGroup } from './administration/unless-so.ts';
import type { GramChats } from './chats/chats.ts';
import { loadDialogs } from './chats/dialogs.ts';
import type { RpcCaller } from './connection/rpc-caller.ts';
import { inputChannel } from './peers/input-peer.ts';
import { unknownPeer } from './peers/known-peer.ts';
import { knownPeerOf, peerId } from './peers/peers-in-updates.ts';
import { findBatch, findByRandomId } from './sending/find-by-random-id.ts';
import { forwardMessages } from './sending/forward-messages.ts';
import { postedBefore, postStory } from './sending/post-story.ts';
import { scheduleMessage } from './sending/schedule-message.ts';
import { sendAlbum } from './sending/send-album.ts';
import { sendMedia } from './sending/send-media.ts';
import { sendText } from './sending/send-text.ts';
import type { Sending } from './sending/sending.ts';
import { showTyping } from './sending/show-typing.ts';

/** Telegram allows about 200 look-ups of usernames a day, and of phone numbers, so answers are cached for a while. */
const lookUpMs = 60 * 60_000;
const maxLookUps = 1_000;
/** A number that is not on Telegram may be soon, so that is kept for a shorter time. */
const absentPhoneMs = 10 * 60_000;
/**
 * The account may have joined a chat on another device without an update. An unknown chat is therefore looked up in a
 * new list of dialogs: not at once, and the longer the list takes the less often, so that lists take a tenth of the
 * time.
 */
const dialogsMs = { shortest: 2_000, longest: 60_000, perLoadingMs: 10 } as const;
const maxLoadMs = 10 * 60_000;

/** What features use of an account beside its own methods, and how they reach Telegram. */
interface AccountDeps
  extends Pick<
    TelegramAccount,
    | 'administration'
    | 'chatActions'
    | 'forumTopics'
    | 'ended'
    | 'files'
    | 'interactions'
    | 'messageActions'
    | 'own'
    | 'people'
    | 'raw'
    | 'reading'
  > {
  ownId: () => string;
  chats: GramChats;
  caller: RpcCaller;
  sending: Sending;
}

/** The connected account as features see it, on a connection that may be replaced. */
export class GramAccount implements TelegramAccount {
  readonly ended: LightAbortSignal;
  readonly chats: GramChats;
  readonly files: AccountFiles;
  readonly reading: ChatReading;
  readonly messageActions: MessageActions;
  readonly people: People;
  readonly own: OwnAccount;
  readonly administration: ChatAdministration;
  readonly raw: RawMethods;
  readonly chatActions: ChatActions;
  readonly forumTopics: ForumTopics;
  readonly interactions: Interactions;
  readonly sendText = this.#bind(sendText);
  readonly sendMedia = this.#bind(sendMedia);
  readonly sendAlbum = this.#bind(sendAlbum);
  readonly schedule = this.#bind(scheduleMessage);
  readonly forward = this.#bind(forwardMessages);
  readonly sentBefore = this.#bind(findByRandomId);
  readonly batchSentBefore = this.#bind(findBatch);
  readonly showTyping = this.#bind(showTyping);
  readonly postedBefore = this.#bind(postedBefore);
  readonly postStory = this.#bind(postStory);
  readonly #ownId: () => string;
  readonly #caller: RpcCaller;
  readonly #book: PeerCache;
  readonly #clock: Clock;
  readonly #sending: Sending;
  /** By `@username` and by digits, until when they are not looked up again, by the clock's `elapsed()`. */
  readonly #lookUps = new LruMap<string, { id: string; until: number }>(maxLookUps);
  /** Digits, and until when they are not looked up again, by the clock's `elapsed()`. */
  readonly #absentPhones = new LruMap<string, number>(maxLookUps);
  /** `until`: by the clock's `elapsed()`. */
  #dialogs: { loaded: Promise<unknown>; until: number } | undefined;

  constructor({ ownId, ended, caller, sending, chats, files, ...members }: AccountDeps) {
    this.#ownId = ownId;
    this.ended = ended;
    this.chats = chats;
    this.files = files;
    this.reading = members.reading;
    this.messageActions = members.messageActions;
    this.people = members.people;
    this.own = members.own;
    this.administration = members.administration;
    this.raw = members.raw;
    this.chatActions = members.chatActions;
    this.forumTopics = members.forumTopics;
    this.interactions = members.interactions;
    this.#caller = caller;
    this.#book = sending.book;
    this.#clock = sending.clock;
    this.#sending = sending;
  }

  get id(): string {
    return this.#ownId();
  }

  get maxUploadBytes(): number {
    return this.#sending.maxUploadBytes();
  }

  /** The user or chat with this ID. @throws {PeerNotFoundError} {@link NotJoinedError} */
  peerById(id: string, signal: LightAbortSignal): Promise<Peer> {
    return id.startsWith('-') ? this.chatById(id, signal) : this.userById(id, signal);
  }

  async userById(id: string, signal: LightAbortSignal): Promise<Peer> {
    return asPeer((await this.#known(id, signal)) ?? unknownPeer(id));
  }

  async chatById(id: string, signal: LightAbortSignal): Promise<Peer> {
    const peer = await this.#known(id, signal);
    if (peer !== undefined) return asPeer(peer);
    if (this.#book.get(id) !== undefined) throw new NotJoinedError(`the account is not in ${id}`);
    return unknownPeer(id);
  }

  byUsername(username: string, signal: LightAbortSignal): Promise<Peer> {
    return this.#lookUp(`@${username.toLowerCase()}`, new Api.contacts.ResolveUsername({ username }), signal, {
      USERNAME_INVALID: () => new InvalidUsernameError(`${username} is not a username`),
      USERNAME_NOT_OCCUPIED: () => new PeerNotFoundError(`nobody has the username ${username}`),
    });
  }

  byPhone(phone: string, signal: LightAbortSignal): Promise<Peer> {
    const notFound = (): Error => new PhoneNotFoundError('the number is not on telegram, or hidden');
    if ((this.#absentPhones.get(phone) ?? 0) > this.#clock.elapsed()) return Promise.reject(notFound());
    return this.#lookUp(phone, new Api.contacts.ResolvePhone({ phone }), signal, {
      PHONE_NOT_OCCUPIED: () => {
        this.#absentPhones.set(phone, this.#clock.elapsed() + absentPhoneMs);
        return notFound();
      },
    });
  }

  /** The answer to a request, or one that is not too old. */
  async #lookUp(
    key: string,
    request: Api.contacts.ResolveUsername | Api.contacts.ResolvePhone,
    signal: LightAbortSignal,
    refusals: Readonly<Record<string, () => Error>>,
  ): Promise<Peer> {
    const remembered = this.#lookUps.get(key);
    if (remembered !== undefined && remembered.until > this.#clock.elapsed()) {
      const known = this.#book.get(remembered.id);
      if (known !== undefined) return asPeer(known);
    }
    const peer = await this.#resolve(request, signal, refusals);
    this.#lookUps.set(key, { id: peer.id, until: this.#clock.elapsed() + lookUpMs });
    return asPeer(peer);
  }

  /** A function of this account's sending, without its first argument. */
  #bind<A extends unknown[], R>(send: (sending: Sending, ...args: A) => R): (...args: A) => R {
    return (...args) => send(this.#sending, ...args);
  }

  /** @throws the error that `refusals` maps a named error of Telegram to */
  async #resolve(
    request: Api.contacts.ResolveUsername | Api.contacts.ResolvePhone,
    signal: LightAbortSignal,
    refusals: Readonly<Record<string, () => Error>>,
  ): Promise<KnownPeer> {
    let answer: Api.contacts.ResolvedPeer;
    try {
      answer = await this.#caller.call(request, signal);
    } catch (error) {
      throw (error instanceof TelegramError && refusals[error.errorName]?.()) || error;
    }
    const id = peerId(answer.peer);
    return this.#book.get(id) ?? unknownPeer(id);
  }

  async #known(id: string, signal: LightAbortSignal): Promise<KnownPeer | undefined> {
    const known = this.#joined(id);
    if (known !== undefined) return known;
    const direct = id.startsWith('-') ? undefined : await this.#askForUser(id, signal);
    if (direct !== undefined) return direct;
    try {
      await this.#loadDialogs(signal);
    } catch (error) {
      if (!isForPeopleOnly(error)) throw error;
      if (id.startsWith('-')) await this.#askForChat(id, signal);
    }
    return this.#joined(id);
  }

  #joined(id: string): KnownPeer | undefined {
    const known = this.#book.get(id);
    return known?.left ? undefined : known;
  }

  /** Contacts and the account itself need no access hash, and for a bot whom it has met. */
  async #askForUser(id: string, signal: LightAbortSignal): Promise<KnownPeer | undefined> {
    try {
      const user = new Api.InputUser({ userId: bigInt(id), accessHash: bigInt.zero });
      const [answer] = await this.#caller.call(new Api.users.GetUsers({ id: [user] }), signal);
      const peer = knownPeerOf(answer);
      if (peer !== undefined) this.#book.learn(peer);
      return peer?.id === id ? peer : undefined;
    } catch (error) {
      if (error instanceof TelegramError && error.code === 400) return undefined;
      throw error;
    }
  }

  /** A bot, which has no list of dialogs, needs no access hash for a chat that it is in. */
  async #askForChat(id: string, signal: LightAbortSignal): Promise<void> {
    const request = id.startsWith('-100')
      ? new Api.channels.GetChannels({ id: [inputChannel({ kind: 'channel', id })] })
      : new Api.messages.GetChats({ id: [basicGroup({ kind: 'group', id })] });
    try {
      // The caller learns the chat from the answer.
      await this.#caller.call<Api.channels.GetChannels | Api.messages.GetChats>(request, signal);
    } catch (error) {
      if (!(error instanceof TelegramError && error.code === 400)) throw error;
    }
  }

  /** Shared by all callers: when one of them aborts, the others still get the answer. */
  async #loadDialogs(signal: LightAbortSignal): Promise<void> {
    if (this.#dialogs === undefined || this.#dialogs.until <= this.#clock.elapsed())
      this.#dialogs = this.#askForDialogs();
    const { loaded } = this.#dialogs;
    const tooLong = (): Error => new NotConnectedError('the list of dialogs takes too long');
    await withTimeout(this.#clock, maxLoadMs, tooLong, () => loaded, signal);
  }

  #askForDialogs(): { loaded: Promise<unknown>; until: number } {
    const begun = this.#clock.elapsed();
    const unending = new AbortController().signal;
    const loading = { loaded: loadDialogs((request) => this.#caller.call(request, unending)), until: Infinity };
    loading.loaded.then(
      () => {
        const now = this.#clock.elapsed();
        const { shortest, longest, perLoadingMs } = dialogsMs;
        loading.until = now + Math.min(longest, Math.max(shortest, (now - begun) * perLoadingMs));
      },
      () => {
        loading.until = 0;
      },
    );
    return loading;
  }
}

/** Telegram's answer to a bot that calls what only users may call. */
const isForPeopleOnly = (error: unknown): boolean =>
  error instanceof TelegramError && error.errorName === 'BOT_METHOD_INVALID';

/** Access hashes stay inside this class. */
const asPeer = ({ kind, id }: KnownPeer): Peer => ({ kind, id });
