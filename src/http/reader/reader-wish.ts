import type { Static } from 'typebox';
import { accountNotAllowed, chatNotAllowed, GatewayError } from '../../errors/gateway-error.ts';
import { defaultFilter, type EventFilter, type EventType } from '../../webhook/filter/event-filter.ts';
import type { Caller } from '../access/caller.ts';
import { nameWithin } from '../access/chat-bound.ts';
import type { ReaderQuery } from './schemas.ts';

/** What a reader asks for. */
export interface ReaderWish {
  name: string;
  /** What it leaves out stays as it was. */
  filter: Partial<EventFilter>;
  /** What it is at first. */
  first: EventFilter;
}

/**
 * The wish of a request. A reader of a key with `chats` wants events of these alone, and is none of another caller's readers
 * (KY5.5).
 * @throws {GatewayError} 403
 */
export function readerWish({ reader, events, chats }: Static<typeof ReaderQuery>, { powers }: Caller): ReaderWish {
  const { chats: own } = powers;
  const ofEvents = events !== undefined && { events };
  if (own === undefined) {
    return { name: reader, filter: { ...ofEvents, ...(chats && { chats }) }, first: defaultFilter };
  }
  if (events?.some(isOfNoChat) === true) throw accountNotAllowed();
  const wanted = chats === undefined ? undefined : chatsWithin(own, chats);
  return {
    name: nameWithin(own, reader),
    // Said each time: a gateway from before keeps what it knows of a reader's wish, and forgets the rest.
    filter: { ...ofEvents, ...(wanted && { chats: wanted }), isBound: true },
    first: { ...defaultFilter, chats: own },
  };
}

/** Telegram does not say in which chat the poll of a vote is. */
const isOfNoChat = (type: EventType): boolean => type === 'message.vote' || type.startsWith('session.');

function chatsWithin(own: readonly string[], chats: EventFilter['chats']): readonly string[] {
  if (chats === 'all') return own;
  if (typeof chats === 'string') throw new GatewayError(403, 'a key with chats has to name IDs of chats, or all');
  if (!chats.every((id) => own.includes(id))) throw chatNotAllowed();
  return chats;
}
