import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { resolveChatId } from '../recipients/resolve-recipient.ts';
import { NotJoinedError, PeerNotFoundError } from '../telegram/port/errors.ts';
import type { ListedChat, ListPlace } from '../telegram/port/reading.ts';
import { serviceAccounts } from '../telegram/port/service-accounts.ts';
import { type ReadMessage, seenMessageObject } from './chat-messages.ts';
import { type ChatService, inTime } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';
import { readPlace, writePlace } from './page-place.ts';
import { signingPhotosOnce } from './photo-links.ts';

/** Chats of a key that Telegram is asked for at the same time. */
const atOnce = 4;

/** A chat of the list (CT1). */
export interface ChatObject {
  id: string;
  kind: ListedChat['kind'];
  name: string;
  username: string;
  /** A media link, or empty. */
  picture: string;
  unread: number;
  muted: boolean;
  pinned: boolean;
  archived: boolean;
  /** The newest message; null if there is none to show. */
  last: ReadMessage | null;
}

export interface ChatListPage {
  docs: ChatObject[];
  /** Empty at the end. */
  after: string;
}

/**
 * A page of the account's chats, newest first.
 * @param after of the page before; empty for the first one
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listChats(
  service: ChatService,
  { archived, after, limit }: { archived: boolean; after: string; limit: number },
  linkTo: LinkTo,
): Promise<ChatListPage> {
  return inTime(service, async (signal) => {
    const place = after === '' ? undefined : readListPlace(after);
    const page = await service.account.reading.list({ archived, after: place, limit }, signal);
    const shown = page.chats.filter(({ id }) => !serviceAccounts.has(id));
    const link = signingPhotosOnce(linkTo);
    return { docs: shown.map((chat) => chatObject(chat, link)), after: page.next ? writeListPlace(page.next) : '' };
  });
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getChat(service: ChatService, chatId: string, linkTo: LinkTo): Promise<ChatObject> {
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, chatId, signal);
    return chatObject(await account.reading.chat(peer, signal), linkTo);
  });
}

function chatObject({ photoId, last, ...chat }: ListedChat, linkTo: LinkTo): ChatObject {
  const ref = photoId && ({ chatId: chat.id, messageId: photoId, variant: 'profile' } as const);
  const { id, kind, name, username, unread, muted, pinned, archived } = chat;
  return {
    id,
    kind,
    name,
    username,
    picture: ref ? linkTo(ref, 'jpg') : '',
    unread,
    muted,
    pinned,
    archived,
    last: last === undefined ? null : seenMessageObject(last, linkTo),
  };
}

const writeListPlace = ({ date, messageId, seen, chatId }: ListPlace): string =>
  writePlace([date, messageId, seen], chatId);

/** @throws {GatewayError} 400 */
function readListPlace(after: string): ListPlace {
  const { numbers, chatId } = readPlace('after', after, 3);
  const [date = 0, messageId = 0, seen = 0] = numbers;
  return { date, messageId, chatId, seen };
}

/**
 * A page of the chats of a key (KY5.4). Telegram is asked for these alone, `limit` of them in the order in which the key names
 * them; those that the account knows, in the archive or outside of it as wanted, are on the page, newest first.
 * @param after of the page before; empty for the first one
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listChatsOfKey(
  service: ChatService,
  chats: readonly string[],
  { archived, after, limit }: { archived: boolean; after: string; limit: number },
  linkTo: LinkTo,
): Promise<ChatListPage> {
  const start = after === '' ? 0 : placeAfter(chats, after);
  const asked = chats.slice(start, start + limit);
  return inTime(service, async (signal) => {
    const link = signingPhotosOnce(linkTo);
    const look = async (chatId: string): Promise<ChatObject | undefined> => {
      try {
        const peer = await resolveChatId(service.account, chatId, signal);
        return chatObject(await service.account.reading.chat(peer, signal), link);
      } catch (error) {
        if (isUnknown(error)) return undefined;
        throw error;
      }
    };
    const found = await mapConcurrent(asked, atOnce, look);
    const shown = found.filter((chat): chat is ChatObject => chat !== undefined && chat.archived === archived);
    const isLast = start + limit >= chats.length;
    return { docs: shown.toSorted(newestFirst), after: isLast ? '' : writePlace([], asked.at(-1) ?? '') };
  });
}

/** How many chats of the key came before. @throws {GatewayError} 400 */
function placeAfter(chats: readonly string[], after: string): number {
  const { chatId } = readPlace('after', after, 0);
  if (!chats.includes(chatId)) throw new GatewayError(400, 'after must be that of a page');
  return chats.indexOf(chatId) + 1;
}

/** The account has not met it, or is not in it any more. */
const isUnknown = (error: unknown): boolean =>
  error instanceof PeerNotFoundError ||
  error instanceof NotJoinedError ||
  (error instanceof GatewayError && error.statusCode === 400);

/** As in the list of all chats, the pinned ones come before the others. */
function newestFirst(one: ChatObject, other: ChatObject): number {
  if (one.pinned !== other.pinned) return one.pinned ? -1 : 1;
  return createdOf(other) - createdOf(one);
}

const createdOf = ({ last }: ChatObject): number => (last === null ? 0 : Date.parse(last.created));
