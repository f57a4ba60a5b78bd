import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Chat, ChatDetails } from '../telegram/port/chats.ts';
import { NotConnectedError } from '../telegram/port/errors.ts';
import type { ChatService } from './chat-service.ts';

/** How long what must be asked chat by chat may hold up an answer: the rest comes with a later one. */
const patienceMs = 60_000;

/** What is asked chat by chat. What takes too long, or is refused, is as it was last known, or empty. */
export interface ChatFields {
  /** @throws {NotConnectedError} */
  details(chat: Chat): Promise<ChatDetails>;
  /** Data URI. */
  picture(chat: Chat): Promise<string>;
}

/** For one answer, whose time runs from now. */
export function chatFields({ account: { chats }, cache, clock }: ChatService): ChatFields {
  const end = clock.now() + patienceMs;
  const soon = async <T>(ask: () => Promise<T>, kept: () => T): Promise<T> => {
    const leftMs = end - clock.now();
    if (leftMs <= 0) return kept();
    try {
      return await withTimeout(clock, leftMs, () => new Error('too late'), ask);
    } catch (error) {
      if (error instanceof NotConnectedError) throw error;
      return kept();
    }
  };
  return {
    details: (chat) =>
      soon(
        () => cache.details(chats, chat),
        () => cache.keptDetails(chats, chat),
      ),
    picture: (chat) =>
      soon(
        () => cache.picture(chats, chat),
        () => cache.keptPicture(chat),
      ),
  };
}
