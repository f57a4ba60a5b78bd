import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { accountNotAllowed, chatNotAllowed } from '../errors/gateway-error.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import type { AccountChats } from '../telegram/port/chats.ts';
import {
  InvalidUsernameError,
  NotJoinedError,
  PeerNotFoundError,
  PhoneNotFoundError,
} from '../telegram/port/errors.ts';
import type { OutgoingMedia } from '../telegram/port/outgoing.ts';
import type { Peer } from '../telegram/port/peer.ts';
import type { People } from '../telegram/port/people.ts';
import type { ChatReading } from '../telegram/port/reading.ts';
import type { FormattedText } from '../telegram/port/text.ts';
import { actionsWithin, chatsWithin, peopleWithin, readingWithin, refuse } from './parts-within-chats.ts';

/** By account, and by the list of chats of a key: caches of an account's chats know them by this object. */
const bounded = new WeakMap<TelegramAccount, WeakMap<readonly string[], TelegramAccount>>();

/**
 * The account as a key with `chats` has it (KY5): it finds these chats alone, and all that it does needs a chat that was found.
 * What is of the account as a whole it refuses.
 * @param chats IDs; the same array for the same key
 */
export function withinChats(account: TelegramAccount, chats: readonly string[]): TelegramAccount {
  const known = bounded.get(account) ?? new WeakMap<readonly string[], TelegramAccount>();
  bounded.set(account, known);
  const found = known.get(chats) ?? new ChatBoundAccount(account, new Set(chats));
  known.set(chats, found);
  return found;
}

/** Errors that tell whether somebody exists, or is known to the account. */
const findings = [PeerNotFoundError, NotJoinedError, PhoneNotFoundError, InvalidUsernameError];

/** In a contact that was sent, Telegram says who has the phone, whoever that is. @throws {GatewayError} 403 */
function requireNoContact({ kind }: OutgoingMedia): void {
  if (kind === 'contact') throw accountNotAllowed();
}

/** Every method of a part of the account that is refused as a whole. It stands for any of these parts. */
const refused = new Proxy({}, { get: () => refuse }) as never;

class ChatBoundAccount implements TelegramAccount {
  readonly #account: TelegramAccount;
  readonly #ids: ReadonlySet<string>;
  readonly chats: AccountChats;
  readonly reading: ChatReading;
  readonly people: People;
  readonly files: TelegramAccount['files'] = refused;
  readonly own: TelegramAccount['own'] = refused;
  readonly administration: TelegramAccount['administration'] = refused;
  readonly raw: TelegramAccount['raw'] = refused;
  readonly messageActions: TelegramAccount['messageActions'];
  readonly postedBefore = refuse;
  readonly postStory = refuse;

  constructor(account: TelegramAccount, ids: ReadonlySet<string>) {
    this.#account = account;
    this.#ids = ids;
    this.chats = chatsWithin(account.chats, ids);
    this.reading = readingWithin(account.reading);
    this.people = peopleWithin(account.people);
    const { messageActions, reading } = account;
    this.messageActions = actionsWithin(messageActions, reading, (text) => this.#mentioningOwn(text));
  }

  get id(): string {
    return this.#account.id;
  }

  get ended(): TelegramAccount['ended'] {
    return this.#account.ended;
  }

  get chatActions(): TelegramAccount['chatActions'] {
    return this.#account.chatActions;
  }

  get forumTopics(): TelegramAccount['forumTopics'] {
    return this.#account.forumTopics;
  }

  get interactions(): TelegramAccount['interactions'] {
    return this.#account.interactions;
  }

  get maxUploadBytes(): number {
    return this.#account.maxUploadBytes;
  }

  async userById(id: string, signal: LightAbortSignal): Promise<Peer> {
    this.#mustHave(id);
    return this.#account.userById(id, signal);
  }

  async chatById(id: string, signal: LightAbortSignal): Promise<Peer> {
    this.#mustHave(id);
    return this.#account.chatById(id, signal);
  }

  byUsername(username: string, signal: LightAbortSignal): Promise<Peer> {
    return this.#oneOfThem(() => this.#account.byUsername(username, signal));
  }

  byPhone(phone: string, signal: LightAbortSignal): Promise<Peer> {
    return this.#oneOfThem(() => this.#account.byPhone(phone, signal));
  }

  // What follows takes a peer, and there is none but those that were found here.
  sendText: TelegramAccount['sendText'] = (peer, message, ...given) =>
    this.#account.sendText(peer, this.#mentioningOwn(message), ...given);
  sendMedia: TelegramAccount['sendMedia'] = async (peer, media, caption, ...given) => {
    requireNoContact(media);
    return this.#account.sendMedia(peer, media, this.#mentioningOwn(caption), ...given);
  };
  sendAlbum: TelegramAccount['sendAlbum'] = (peer, album, caption, ...given) =>
    this.#account.sendAlbum(peer, album, this.#mentioningOwn(caption), ...given);
  schedule: TelegramAccount['schedule'] = async (peer, media, message, ...given) => {
    media.forEach(requireNoContact);
    return this.#account.schedule(peer, media, this.#mentioningOwn(message), ...given);
  };
  forward: TelegramAccount['forward'] = (...given) => this.#account.forward(...given);
  sentBefore: TelegramAccount['sentBefore'] = (...given) => this.#account.sentBefore(...given);
  batchSentBefore: TelegramAccount['batchSentBefore'] = (...given) => this.#account.batchSentBefore(...given);
  showTyping: TelegramAccount['showTyping'] = (...given) => this.#account.showTyping(...given);

  /** A mention of anybody else stays plain text, whether or not the account has met them. */
  #mentioningOwn<Text extends FormattedText>(text: Text): Text {
    const entities = text.entities.filter((entity) => entity.type !== 'mention' || this.#ids.has(entity.userId));
    return { ...text, entities };
  }

  /** Before anything is looked up: what the account knows of other chats does not show. */
  #mustHave(id: string): void {
    if (!this.#ids.has(id)) throw chatNotAllowed();
  }

  /** One that is not there, and one that is another, are the same to the caller. */
  async #oneOfThem(look: () => Promise<Peer>): Promise<Peer> {
    let peer: Peer;
    try {
      peer = await look();
    } catch (error) {
      throw findings.some((kind) => error instanceof kind) ? chatNotAllowed() : error;
    }
    this.#mustHave(peer.id);
    return peer;
  }
}
