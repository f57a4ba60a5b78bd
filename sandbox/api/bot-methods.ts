import { RpcError } from '../rpc.ts';
import type { Caller } from './method.ts';

/** What bots may not call, of the methods that the sandbox has: "Only users can use this method", https://core.telegram.org/methods */
const forUsersOnly = new RegExp(
  `^(?:${[
    String.raw`(?:account|stories|folders)\.\w+`,
    String.raw`contacts\.(?!resolveUsername)\w+`,
    String.raw`photos\.(?!getUserPhotos)\w+`,
    String.raw`auth\.(?:reset\w*|acceptLoginToken)`,
    String.raw`channels\.(?:join|create)\w*|channels\.readHistory`,
    String.raw`messages\.(?:get\w*Dialogs|\w*Dialog(?:s|Pin|Unread|UnreadMarks|Filters)|search\w*|getSearchCounters)`,
    String.raw`messages\.(?:getHistory|readHistory|readReactions|getUnreadReactions|getPeerSettings|getBotCallbackAnswer)`,
    String.raw`messages\.(?:\w*Scheduled\w*|sendVote|getPollResults|getPollVotes|getMessagesReactions)`,
    String.raw`messages\.(?:getMessageReactionsList|get(?:Available|Recent|Top)Reactions|clearRecentReactions)`,
  ].join('|')})$`,
);

/** @throws {RpcError} 400 BOT_METHOD_INVALID if a bot makes a call that only people may make */
export function requirePerson({ call, me }: Caller): void {
  if (me.bot && forUsersOnly.test(call.method)) throw new RpcError(400, 'BOT_METHOD_INVALID');
}
