import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { accountNotAllowed } from '../errors/gateway-error.ts';
import type { AccountChats } from '../telegram/port/chats.ts';
import { MessageNotFoundError } from '../telegram/port/errors.ts';
import type { MessageActions } from '../telegram/port/message-actions.ts';
import type { Peer } from '../telegram/port/peer.ts';
import type { People } from '../telegram/port/people.ts';
import type { ChatReading, MessagePage } from '../telegram/port/reading.ts';
import type { FormattedText } from '../telegram/port/text.ts';

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

/**
 * What is done to a message is done after it was found in the chat: private chats and basic groups share one numbering, and
 * Telegram does not say that it compares the chat.
 * @param within the text without what the key may not write
 */
export function actionsWithin(
  actions: MessageActions,
  reading: Pick<ChatReading, 'message'>,
  within: (text: FormattedText) => FormattedText,
): MessageActions {
  const mustHave = async (peer: Peer, id: number, signal: LightAbortSignal): Promise<void> => {
    const found = await reading.message(peer, id, signal);
    if (found === undefined) throw new MessageNotFoundError(`${peer.id} has no message ${id}`);
  };
  return {
    async edit(peer, id, text, begunAt, signal) {
      await mustHave(peer, id, signal);
      await actions.edit(peer, id, within(text), begunAt, signal);
    },
    async react(peer, id, emoji, signal) {
      await mustHave(peer, id, signal);
      await actions.react(peer, id, emoji, signal);
    },
    async pin(peer, id, isPinned, signal) {
      await mustHave(peer, id, signal);
      await actions.pin(peer, id, isPinned, signal);
    },
    // It looks for them itself.
    delete: (...given) => actions.delete(...given),
    deleteScheduled: (...given) => actions.deleteScheduled(...given),
  };
}

/** A request about a chat may be answered from another one: the comments of a post are in the group of the channel. */
const onlyOf = ({ id }: Peer, { messages, before }: MessagePage): MessagePage => ({
  messages: messages.filter(({ message }) => message.chatId === id),
  before,
});
