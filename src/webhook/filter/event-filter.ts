import { updateFactTypes } from '../stream/delivery-events.ts';

/** The `type`s of events (WH3, EV1), in the order in which the documentation lists them. */
export const eventTypes = [
  ...Object.values(updateFactTypes),
  'chat.typing',
  'user.status',
  'session.qr',
  'session.password',
  'session.code',
  'session.connected',
  'session.disconnected',
  'session.login-lost',
  'session.reset',
  'session.deleted',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Never recorded: they go to the readers that are connected at that moment. */
const liveTypes = ['chat.typing', 'user.status'] as const satisfies readonly EventType[];

export const isLive = (type: EventType): boolean => (liveTypes as readonly EventType[]).includes(type);

/** Those of a session's own receivers. Its webhooks and readers end with it, before they could be told that it is deleted. */
const isOfSession = (type: EventType): boolean => type !== 'session.deleted';

/** What a reader of a session may ask for. */
export const readerEventTypes: readonly EventType[] = eventTypes.filter(isOfSession);
/** What a webhook of a session may ask for. */
export const webhookEventTypes: readonly EventType[] = readerEventTypes.filter((type) => !isLive(type));

/** What an operators' webhook may ask for. */
export const operatorEventTypes: readonly EventType[] = eventTypes.filter((type) => type.startsWith('session.'));

export const chatScopes = ['private', 'groups', 'channels', 'all'] as const;
export type ChatScope = (typeof chatScopes)[number];
export type ChatKind = 'user' | 'bot' | 'group' | 'channel';

/** What a webhook or a reader wants. */
export interface EventFilter {
  events: readonly EventType[];
  /** Kinds of chats, or the IDs of up to 100 chats. */
  chats: ChatScope | readonly string[];
  /** What is of no chat does not pass either: the filter is a bound (KY5). */
  isBound?: true | undefined;
}

/** An event as far as a filter looks at it. One of no chat has neither an ID nor a kind: only its type counts. */
export interface FilteredEvent {
  type: EventType;
  chatId?: string | undefined;
  kind?: ChatKind | undefined;
}

/** The filter of a webhook for which none was given: the events of WH3, of private chats. */
export const defaultFilter: EventFilter = {
  events: ['message', 'message.edited', 'message.deleted', 'message.read'],
  chats: 'private',
};

const scopeOf: Readonly<Record<ChatKind, ChatScope>> = {
  user: 'private',
  bot: 'private',
  group: 'groups',
  channel: 'channels',
};

/** Whether a filter lets an event pass. */
export function wants({ events, chats, isBound }: EventFilter, { type, chatId, kind }: FilteredEvent): boolean {
  if (!events.includes(type)) return false;
  if (chatId === undefined) return isBound !== true;
  if (chats === 'all') return true;
  if (typeof chats !== 'string') return chats.includes(chatId);
  return kind !== undefined && scopeOf[kind] === chats;
}

export const isWantedByAny = (filters: readonly EventFilter[], event: FilteredEvent): boolean =>
  filters.some((filter) => wants(filter, event));

/** Whether a filter can let an event of these types and of some chat of this kind pass. A list may name any chat. */
export function mayWant({ events, chats }: EventFilter, types: readonly EventType[], kind?: ChatKind): boolean {
  if (!types.some((type) => events.includes(type))) return false;
  return kind === undefined || chats === 'all' || typeof chats !== 'string' || scopeOf[kind] === chats;
}
