import type { TlObject } from '../../../rpc.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { tlReaction } from './tl-reactions.ts';

/** Which reactions a chat allows. */
export function tlChatReactions({ reactions }: ChatRow): TlObject {
  if (!reactions) return { _: 'chatReactionsAll' };
  return reactions.length === 0
    ? { _: 'chatReactionsNone' }
    : { _: 'chatReactionsSome', reactions: reactions.map(tlReaction) };
}
