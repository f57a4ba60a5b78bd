import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { ChatUpdate } from './chat-update.ts';

const maxKept = 200;
/** Both dates are Telegram's, of one moment. */
const sameMomentSeconds = 5;

/**
 * A bot that is an administrator is told of a member twice: by the service message of the chat, and by an update of its own.
 */
export class RepeatedMembers {
  /** When each change was told, seconds since 1970. */
  readonly #told = new LruMap<string, number>(maxKept);

  /** Whether it is the change that was told a moment ago. */
  isRepeated(update: ChatUpdate): boolean {
    if (update.type !== 'chat.member' || update.date === undefined) return false;
    const key = `${update.chatId} ${update.userId} ${update.action}`;
    const before = this.#told.get(key) ?? -Infinity;
    this.#told.set(key, update.date);
    return Math.abs(update.date - before) <= sameMomentSeconds;
  }
}
