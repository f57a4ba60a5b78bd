import type { TlObject } from '../../rpc.ts';
import { isBot } from '../../world/bots/bot-updates.ts';
import { isAdmin } from '../../world/chats/members.ts';
import { viewersOf } from '../../world/messages/viewers.ts';
import { type ReactionChange, reactionsTo } from '../../world/reactions/give-reaction.ts';
import type { MessageRow } from '../../world/state/message-rows.ts';
import { peerKey, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { canSeeReactors, tlAllReactions, tlReaction } from '../objects/messages/tl-reactions.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { pushBotUpdate } from './push-bot-update.ts';
import { pushEvent } from './push-event.ts';

/** Messages name the latest few who have reacted. */
const maxNamed = 3;

/** Shows the reactions to a message to all who see it. */
export function pushReactions(world: World, change: ReactionChange, exceptSession?: bigint): void {
  const { message } = change;
  for (const { viewer, copy } of viewersOf(world, message)) {
    if (isBot(world, viewer)) {
      pushToBot(world, viewer, copy, change);
      continue;
    }
    const update = { _: 'updateMessageReactions', msg_id: copy.id };
    const reactors = reactionsTo(world, message).map(({ user }) => userPeer(user));
    pushEvent(world, viewer, update, [copy.peer, ...reactors.slice(-maxNamed)], exceptSession);
  }
}

/** Telegram tells a bot what people change, in private chats and where the bot is an administrator; not what bots change. */
function pushToBot(world: World, bot: number, copy: MessageRow, { userId, before, after }: ReactionChange): void {
  const chat = world.tables.chats.get(peerKey(copy.peer));
  if (isBot(world, userId) || (chat !== undefined && !isAdmin(chat, bot))) return;
  const about = { peer: tlPeer(copy.peer), msg_id: copy.id, date: world.now() };
  // Who has reacted in a channel is nobody's business.
  if (!canSeeReactors(world, copy)) {
    const reactions = tlAllReactions(world, bot, copy)['results'];
    pushBotUpdate(world, bot, { _: 'updateBotMessageReactions', ...about, reactions }, [copy.peer]);
    return;
  }
  const update: TlObject = {
    _: 'updateBotMessageReaction',
    ...about,
    actor: tlPeer(userPeer(userId)),
    old_reactions: before.map(tlReaction),
    new_reactions: after.map(tlReaction),
  };
  pushBotUpdate(world, bot, update, [copy.peer, userPeer(userId)]);
}
