import { GatewayError } from '../errors/gateway-error.ts';
import { resolveChatId } from '../recipients/resolve-recipient.ts';
import type { ListedChat, ListPlace } from '../telegram/port/reading.ts';
import { serviceAccounts } from '../telegram/port/service-accounts.ts';
import { type ReadMessage, seenMessageObject } from './chat-messages.ts';
import { type ChatService, inTime } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';

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
    const place = after === '' ? undefined : readPlace(after);
    const page = await service.account.reading.list({ archived, after: place, limit }, signal);
    const shown = page.chats.filter(({ id }) => !serviceAccounts.has(id));
    return { docs: shown.map((chat) => chatObject(chat, linkTo)), after: page.next ? writePlace(page.next) : '' };
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

function writePlace({ date, messageId, chatId, seen }: ListPlace): string {
  return Buffer.from(JSON.stringify([date, messageId, chatId, seen])).toString('base64url');
}

/** @throws {GatewayError} 400 */
function readPlace(after: string): ListPlace {
  try {
    const [date, messageId, chatId, seen] = JSON.parse(Buffer.from(after, 'base64url').toString()) as unknown[];
    const isPlace = [date, messageId, seen].every(isCount) && typeof chatId === 'string';
    if (isPlace) return { date, messageId, chatId, seen } as ListPlace;
  } catch {
    // It is no place, as any other text that was not given out.
  }
  throw new GatewayError(400, 'after must be that of a page');
}

/** Telegram's numbers are signed 32-bit ones. */
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
