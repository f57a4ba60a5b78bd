import { resolveChatId } from '../recipients/resolve-recipient.ts';
import type { ListedChat, ListPlace } from '../telegram/port/reading.ts';
import { serviceAccounts } from '../telegram/port/service-accounts.ts';
import { type ReadMessage, seenMessageObject } from './chat-messages.ts';
import { type ChatService, inTime } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';
import { readPlace, writePlace } from './page-place.ts';
import { signingPhotosOnce } from './photo-links.ts';

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
