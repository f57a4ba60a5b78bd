import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Chat, ChatDetails } from '../telegram/port/chats.ts';
import { NotConnectedError } from '../telegram/port/errors.ts';
import type { ChatService } from './chat-service.ts';

/** How long details that are fetched chat by chat may delay a response; the rest comes with a later one. */
const patienceMs = 60_000;

/**
 * The details that are fetched chat by chat. One that takes too long, or is refused, keeps its last value or stays
 * empty.
 */
export interface ChatFields {
  /** @throws {NotConnectedError} */
  details(chat: Chat): Promise<ChatDetails>;
  /** A data URI. */
  picture(chat: Chat): Promise<string>;
}

/** For one response, whose time limit starts now. */
export function chatFields({ account: { chats }, cache, clock }: ChatService): ChatFields {
  const end = clock.elapsed() + patienceMs;
  const soon = async <T>(ask: () => Promise<T>, kept: () => T): Promise<T> => {
    const leftMs = end - clock.elapsed();
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
