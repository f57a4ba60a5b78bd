import { accountNotAllowed } from '../errors/gateway-error.ts';
import type { AccountChats } from '../telegram/port/chats.ts';
import type { Peer } from '../telegram/port/peer.ts';
import type { People } from '../telegram/port/people.ts';
import type { ChatReading, MessagePage } from '../telegram/port/reading.ts';

/** Parts of the account as a key with `chats` has it (KY5). What takes a peer has one of these chats. */

export const refuse = (): Promise<never> => Promise.reject(accountNotAllowed());

/** @param ids of the chats of the key */
export const chatsWithin = (chats: AccountChats, ids: ReadonlySet<string>): AccountChats => ({
  joined: async (signal) => (await chats.joined(signal)).filter(({ id }) => ids.has(id)),
  get: (peer, signal) => chats.get(peer, signal),
  details: (peer, signal) => chats.details(peer, signal),
  photo: (peer, photo, signal) => chats.photo(peer, photo, signal),
  members: (peer, limit, signal) => chats.members(peer, limit, signal),
  history: (peer, before, signal) => chats.history(peer, before, signal),
});

export const readingWithin = (reading: ChatReading): ChatReading => ({
  list: refuse,
  searchAll: refuse,
  chat: (peer, signal) => reading.chat(peer, signal),
  messages: async (peer, page, signal) => onlyOf(peer, await reading.messages(peer, page, signal)),
  message: (peer, id, signal) => reading.message(peer, id, signal),
  scheduled: (peer, signal) => reading.scheduled(peer, signal),
  search: async (peer, words, page, signal) => onlyOf(peer, await reading.search(peer, words, page, signal)),
});

export const peopleWithin = (people: People): People => ({
  contacts: refuse,
  addContact: refuse,
  deleteContact: refuse,
  block: refuse,
  person: (user, signal) => people.person(user, signal),
  user: (user, signal) => people.user(user, signal),
});

/** A request about a chat may be answered from another one: the comments of a post are in the group of the channel. */
const onlyOf = ({ id }: Peer, { messages, before }: MessagePage): MessagePage => ({
  messages: messages.filter(({ message }) => message.chatId === id),
  before,
});
