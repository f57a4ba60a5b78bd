import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { PeerNotFoundError, TelegramError } from '../../port/errors.ts';
import {
  type AccountFiles,
  type FileVariant,
  MediaNotFoundError,
  type MediaRef,
  type RemoteFile,
  storyPrefix,
} from '../../port/files.ts';
import type { Peer } from '../../port/peer.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer, inputUser } from '../peers/input-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';
import type { FileConnections } from './file-connections.ts';
import { fileIn, type LocatedFile } from './file-location.ts';
import { fileMovedTo } from './follow-file.ts';
import { MessageLookUp, maxWaitMs } from './message-look-up.ts';
import { type InTurn, ReadTurns } from './read-turns.ts';

export interface GramFilesDeps {
  book: PeerCache;
  call: RpcCall;
  files: Pick<FileConnections, 'call'>;
  /** Finds the user with this ID, so that the peer cache knows it. @throws {PeerNotFoundError} */
  meet: (id: string, signal: LightAbortSignal) => Promise<Peer>;
}

/** A file can move, expire and move again between two tries. */
const maxTries = 4;
/** The account cannot see the chat or the message any more. */
const outOfSight =
  /^(?:CHANNEL_PRIVATE|STORIES_NEVER_CREATED|CHANNEL_INVALID|CHAT_ID_INVALID|CHAT_FORBIDDEN|PEER_ID_INVALID|USER_ID_INVALID|MSG_ID_INVALID|MESSAGE_IDS_EMPTY)$/;
const fileGone = /^(?:LOCATION_INVALID|FILE_ID_INVALID)$/;

/** Files in the chats of a connected account. */
export class GramFiles implements AccountFiles {
  readonly #deps: GramFilesDeps;
  readonly #messages: MessageLookUp;
  readonly #turns = new ReadTurns();

  constructor(deps: GramFilesDeps) {
    this.#deps = deps;
    this.#messages = new MessageLookUp(deps.call);
  }

  async open(ref: MediaRef, signal: LightAbortSignal): Promise<RemoteFile> {
    const locate = (until: LightAbortSignal): Promise<LocatedFile> => this.#locate(ref, until);
    const turns = this.#turns.of([ref.chatId, ref.messageId, ref.variant].join('/'));
    return new GramFile(this.#deps.files, turns, await locate(signal), locate);
  }

  /** @throws {MediaNotFoundError} */
  async #locate(ref: MediaRef, signal: LightAbortSignal): Promise<LocatedFile> {
    try {
      const located = await this.#find(ref, signal);
      if (located !== undefined) return located;
    } catch (error) {
      const isOutOfSight = error instanceof TelegramError && outOfSight.test(error.errorName);
      if (!isOutOfSight && !(error instanceof PeerNotFoundError)) throw error;
    }
    throw new MediaNotFoundError(`no ${ref.variant} in message ${ref.messageId} of ${ref.chatId}`);
  }

  async #find({ chatId, messageId, variant }: MediaRef, signal: LightAbortSignal): Promise<LocatedFile | undefined> {
    if (variant === 'profile') return this.#profilePhoto(chatId, messageId, signal);
    const id = Number(messageId);
    if (id > maxId) return undefined;
    return isOfStory(variant)
      ? this.#inStory(chatId, id, variant.slice(storyPrefix.length) as FileVariant, signal)
      : this.#inMessage(chatId, id, variant, signal);
  }

  async #inMessage(
    chatId: string,
    id: number,
    variant: FileVariant,
    signal: LightAbortSignal,
  ): Promise<LocatedFile | undefined> {
    // Users and basic groups share one numbering of messages. Supergroups and channels (which have a hash) have their
    // own.
    const chat = chatId.startsWith('-') ? await this.#peer(chatId, signal) : undefined;
    const message = await this.#messages.get(chat?.hash === undefined ? undefined : chat, id, signal);
    return message !== undefined && peerId(message.peerId) === chatId ? fileIn(message, variant) : undefined;
  }

  /** Of a story that has not expired, or that its owner keeps on the profile. */
  async #inStory(
    chatId: string,
    id: number,
    variant: FileVariant,
    signal: LightAbortSignal,
  ): Promise<LocatedFile | undefined> {
    const peer = inputPeer(await this.#peer(chatId, signal));
    const request = new Api.stories.GetStoriesByID({ peer, id: [id] });
    const { stories }: Api.stories.Stories = await this.#deps.call(request, signal, maxWaitMs);
    const [story] = stories;
    return story instanceof Api.StoryItem ? fileIn(story, variant) : undefined;
  }

  async #profilePhoto(chatId: string, photoId: string, signal: LightAbortSignal): Promise<LocatedFile | undefined> {
    const peer = await this.#peer(chatId, signal);
    const photo = await this.#currentPhoto(peer, signal);
    if (photo?.photoId.toString() !== photoId) return undefined;
    return {
      id: `a${photoId}`,
      dc: photo.dcId,
      location: new Api.InputPeerPhotoFileLocation({ peer: inputPeer(peer), photoId: photo.photoId }),
      size: undefined,
      mimetype: undefined,
      name: '',
    };
  }

  async #currentPhoto(
    peer: KnownPeer,
    signal: LightAbortSignal,
  ): Promise<Api.UserProfilePhoto | Api.ChatPhoto | undefined> {
    const { call } = this.#deps;
    let photo: unknown;
    if (peer.kind === 'user') {
      const [user] = await call(new Api.users.GetUsers({ id: [inputUser(peer)] }), signal, maxWaitMs);
      photo = user instanceof Api.User ? user.photo : undefined;
    } else {
      const request =
        peer.hash === undefined
          ? new Api.messages.GetChats({ id: [bigInt(peer.id.slice('-'.length))] })
          : new Api.channels.GetChannels({ id: [inputChannel(peer)] });
      const { chats }: Api.messages.TypeChats = await call(request, signal, maxWaitMs);
      const [chat] = chats;
      photo = chat instanceof Api.Chat || chat instanceof Api.Channel ? chat.photo : undefined;
    }
    return photo instanceof Api.UserProfilePhoto || photo instanceof Api.ChatPhoto ? photo : undefined;
  }

  /** @throws {PeerNotFoundError} */
  async #peer(id: string, signal: LightAbortSignal): Promise<KnownPeer> {
    const known = this.#deps.book.get(id);
    if (known !== undefined) return known;
    await this.#deps.meet(id, signal);
    const met = this.#deps.book.get(id);
    if (met === undefined) throw new PeerNotFoundError(`the account has never met ${id}`);
    return met;
  }
}

/** Telegram's IDs of messages and stories are signed 32-bit numbers. */
const maxId = 2 ** 31 - 1;

const isOfStory = (variant: MediaRef['variant']): variant is `${typeof storyPrefix}${FileVariant}` =>
  variant.startsWith(storyPrefix);

/** One file, in any data centre, with renewal of its expired references. */
class GramFile implements RemoteFile {
  readonly #files: Pick<FileConnections, 'call'>;
  readonly #inTurn: InTurn;
  readonly #locate: (signal: LightAbortSignal) => Promise<LocatedFile>;
  #located: LocatedFile;

  constructor(
    files: Pick<FileConnections, 'call'>,
    inTurn: InTurn,
    located: LocatedFile,
    locate: (signal: LightAbortSignal) => Promise<LocatedFile>,
  ) {
    this.#files = files;
    this.#inTurn = inTurn;
    this.#located = located;
    this.#locate = locate;
  }

  get id(): string {
    return this.#located.id;
  }

  get size(): number | undefined {
    return this.#located.size;
  }

  get mimetype(): string | undefined {
    return this.#located.mimetype;
  }

  get name(): string {
    return this.#located.name;
  }

  async read(offset: number, limit: number, signal: LightAbortSignal): Promise<Buffer> {
    for (let tries = 1; ; tries++) {
      const tried = this.#located;
      try {
        return await this.#ask(tried, offset, limit, signal);
      } catch (error) {
        if (!(error instanceof TelegramError)) throw error;
        if (fileGone.test(error.errorName)) throw new MediaNotFoundError('the file is gone', { cause: error });
        const dc = fileMovedTo(error);
        const isExpired = error.errorName.startsWith('FILE_REFERENCE_');
        if ((dc === undefined && !isExpired) || tries >= maxTries) throw error;
        // Another reader of the same file may have renewed it already.
        if (this.#located !== tried) continue;
        if (dc !== undefined) this.#located = { ...tried, dc };
        else await this.#renew(tried, signal);
      }
    }
  }

  /** Fetches the message again, which brings a new reference. @throws {MediaNotFoundError} it has another file now */
  async #renew(expired: LocatedFile, signal: LightAbortSignal): Promise<void> {
    const located = await this.#locate(signal);
    if (located.id !== expired.id) throw new MediaNotFoundError('the message has another file now');
    this.#located = { ...located, dc: expired.dc };
  }

  async #ask({ dc, location }: LocatedFile, offset: number, limit: number, signal: LightAbortSignal): Promise<Buffer> {
    const request = new Api.upload.GetFile({ location, offset: long(BigInt(offset)), limit });
    const answer = await this.#inTurn(dc, () => this.#files.call(dc, request, signal, maxWaitMs), signal);
    // The gateway never announces that it can download from CDNs (`cdn_supported`).
    if (!(answer instanceof Api.upload.File)) throw new TelegramError(303, 'FILE_CDN_REDIRECT', request.className);
    return answer.bytes;
  }
}
