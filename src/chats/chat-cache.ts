import { LRUCache } from 'lru-cache';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { AccountChats, Chat, ChatDetails, ChatPhoto } from '../telegram/port/chats.ts';
import { TelegramError } from '../telegram/port/errors.ts';
import type { Peer } from '../telegram/port/peer.ts';
import { FloodWaitGate } from './flood-wait-gate.ts';

/** GR2 */
const detailsMs = 5 * 60_000;
/** A description that Telegram refuses to send again is shown for this long. */
const refusedMs = 30_000;
/** Descriptions of one account; each takes some hundred bytes. */
const maxDetails = 5_000;
/** Photos of all accounts together; a small photo takes about 10 KB. */
const maxPictureCharacters = 32 * 1024 * 1024;

interface OwnCache {
  details: LRUCache<string, ChatDetails, Peer>;
  photos: FloodWaitGate;
}
interface Wanted {
  chats: AccountChats;
  chat: Peer;
  photo: ChatPhoto;
}

/**
 * Cached details that are fetched for one chat at a time. Each detail is fetched once, however many callers want it.
 */
export class ChatCache {
  readonly #clock: Clock;
  readonly #own = new WeakMap<AccountChats, OwnCache>();
  readonly #pictures = new LRUCache<string, string, Wanted>({
    maxSize: maxPictureCharacters,
    // An entry has a size greater than 0.
    sizeCalculation: (picture) => picture.length + 1,
    fetchMethod: (_id, _stale, { context }) => this.#fetchPicture(context),
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * At most 5 minutes old, unless Telegram refuses to send it again. @throws {TelegramError} {@link NotConnectedError}
   */
  async details(chats: AccountChats, chat: Peer): Promise<ChatDetails> {
    const details = await this.#of(chats).details.fetch(chat.id, { context: chat });
    return details ?? { description: '' };
  }

  /** The cached value of any age, without a request. */
  keptDetails(chats: AccountChats, chat: Peer): ChatDetails {
    return this.#of(chats).details.peek(chat.id, { allowStale: true }) ?? { description: '' };
  }

  /** The account has changed the description. */
  forget(chats: AccountChats, chat: Peer): void {
    this.#of(chats).details.delete(chat.id);
  }

  /** The small photo as a data URI; empty if there is none, or it cannot be fetched now. */
  async picture(chats: AccountChats, chat: Chat): Promise<string> {
    const { photo } = chat;
    if (photo === undefined) return '';
    try {
      return (await this.#pictures.fetch(photo.id, { context: { chats, chat, photo } })) ?? '';
    } catch {
      // A missing photo must not hide the name of a group.
      return '';
    }
  }

  keptPicture({ photo }: Chat): string {
    return (photo && this.#pictures.get(photo.id)) ?? '';
  }

  #of(chats: AccountChats): OwnCache {
    const own = this.#own.get(chats) ?? this.#create(chats);
    this.#own.set(chats, own);
    return own;
  }

  #create(chats: AccountChats): OwnCache {
    const asking = new FloodWaitGate(this.#clock);
    const details = new LRUCache<string, ChatDetails, Peer>({
      max: maxDetails,
      ttl: detailsMs,
      perf: { now: () => this.#clock.elapsed() },
      ttlResolution: 0,
      fetchMethod: async (_id, known, { context, options }) => {
        try {
          // The request continues when its first caller aborts: others may wait for it.
          return await asking.observed(() => chats.details(context, new LightAbort()));
        } catch (error) {
          if (known === undefined || !(error instanceof TelegramError)) throw error;
          options.ttl = refusedMs;
          return known;
        }
      },
    });
    return { details, photos: new FloodWaitGate(this.#clock) };
  }

  async #fetchPicture({ chats, chat, photo }: Wanted): Promise<string> {
    const bytes = await this.#of(chats).photos.observed(() => chats.photo(chat, photo, new LightAbort()));
    return bytes === undefined ? '' : `data:image/jpeg;base64,${bytes.toString('base64')}`;
  }
}
