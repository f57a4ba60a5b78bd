import { LRUCache } from 'lru-cache';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { AccountChats, Chat, ChatDetails, ChatPhoto } from '../telegram/port/chats.ts';
import { TelegramError } from '../telegram/port/errors.ts';
import type { Peer } from '../telegram/port/peer.ts';
import { FloodWaitGate } from './flood-wait-gate.ts';

/** GR2 */
const detailsMs = 5 * 60_000;
/** What Telegram refuses to say again is shown as it was, for so long. */
const refusedMs = 30_000;
/** Of one account; one takes some hundred bytes. */
const mostDetails = 5_000;
/** Of all accounts together; a small photo takes about 10 KB. */
const mostPictureCharacters = 32 * 1024 * 1024;

interface OwnCache {
  details: LRUCache<string, ChatDetails, Peer>;
  photos: FloodWaitGate;
}
interface Wanted {
  chats: AccountChats;
  chat: Peer;
  photo: ChatPhoto;
}

/** What is asked about one chat at a time, and kept: each thing is asked for once, however many want it at the time. */
export class ChatCache {
  readonly #clock: Clock;
  readonly #own = new WeakMap<AccountChats, OwnCache>();
  readonly #pictures = new LRUCache<string, string, Wanted>({
    maxSize: mostPictureCharacters,
    // An entry has a size greater than 0.
    sizeCalculation: (picture) => picture.length + 1,
    fetchMethod: (_id, _stale, { context }) => this.#fetchPicture(context),
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Not older than 5 minutes, unless Telegram refuses to say it again. @throws {TelegramError} {@link NotConnectedError} */
  async details(chats: AccountChats, chat: Peer): Promise<ChatDetails> {
    const details = await this.#of(chats).details.fetch(chat.id, { context: chat });
    return details ?? { description: '' };
  }

  /** What is kept, however old it is; nothing is asked. */
  keptDetails(chats: AccountChats, chat: Peer): ChatDetails {
    return this.#of(chats).details.peek(chat.id, { allowStale: true }) ?? { description: '' };
  }

  /** The small photo as a data URI; empty where there is none, or it cannot be had now. */
  async picture(chats: AccountChats, chat: Chat): Promise<string> {
    const { photo } = chat;
    if (photo === undefined) return '';
    try {
      return (await this.#pictures.fetch(photo.id, { context: { chats, chat, photo } })) ?? '';
    } catch {
      // Nobody is to go without a group's name because of its photo.
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
      max: mostDetails,
      ttl: detailsMs,
      perf: this.#clock,
      ttlResolution: 0,
      fetchMethod: async (_id, known, { context, options }) => {
        try {
          // What was asked for goes on when who asked first gives up: others may wait for it.
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
