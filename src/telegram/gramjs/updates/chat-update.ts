import type { Api } from 'telegram/tl/index.js';
import type { MemberAction, PollResult, UpdateType } from '../../port/updates.ts';
import type { PrivateChatUpdate } from './private-chat-update.ts';

/** An update read only as far as needed to know what it is about: people and chats are IDs. */
export type ChatUpdate =
  | PrivateChatUpdate
  | ({ date: number | undefined } & (
      | { type: 'message' | 'message.edited'; chatId: string; message: Api.Message }
      | { type: 'message.deleted'; chatId: string; messageIds: number[] }
      | { type: 'chat.read'; chatId: string; upTo: number; fromMe: boolean }
      | {
          type: 'message.reaction';
          chatId: string;
          messageId: number;
          counts: Record<string, number>;
          /** Who has reacted last, and when, in Telegram's seconds: it need not be what changed. */
          last?: { userId: string; date: number; emojis: string[] };
          /** A bot is told who changed their reactions. */
          userId?: string;
          emojis: string[];
        }
      | { type: 'message.pinned'; chatId: string; messageIds: number[]; pinned: boolean }
      | { type: 'message.vote'; pollId: string; results: PollResult[]; userId?: string; options?: string[] }
      | { type: 'message.button'; chatId: string; messageId: number; userId: string; data: string; queryId: string }
      | { type: 'chat.joined' | 'chat.left'; chatId: string; byId?: string }
      | { type: 'story'; chatId: string; story: Api.StoryItem }
      | { type: 'chat.member'; chatId: string; userId: string; action: MemberAction; byId?: string }
    ));

/**
 * The events for which an update is needed: the deletion of a message is understood if its arrival was recorded, unless
 * Telegram says in which chat it was.
 */
export function typesOf({ type }: ChatUpdate): UpdateType[] {
  if (type === 'message.sent') return ['message.edited', 'message.deleted', 'message.read'];
  return type === 'message' ? ['message', 'message.deleted'] : [type];
}
