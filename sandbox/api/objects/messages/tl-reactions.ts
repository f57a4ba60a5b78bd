import type { TlObject } from '../../../rpc.ts';
import { reactionsTo } from '../../../world/reactions/give-reaction.ts';
import type { GivenReaction, MessageRow } from '../../../world/state/message-rows.ts';
import { peerKey, userPeer } from '../../../world/state/peer.ts';
import type { World } from '../../../world/world.ts';
import { tlPeer } from '../tl-peer.ts';

/** Telegram names the latest few in the message; the rest is in `messages.getMessageReactionsList`. */
const maxRecent = 3;
const customPrefix = 'custom:';

/** A reaction by its key in the tables. */
export function tlReaction(key: string): TlObject {
  return key.startsWith(customPrefix)
    ? { _: 'reactionCustomEmoji', document_id: BigInt(key.slice(customPrefix.length)) }
    : { _: 'reactionEmoji', emoticon: key };
}

/** Who has reacted is visible everywhere but in broadcast channels. */
export function canSeeReactors(world: World, message: MessageRow): boolean {
  if (message.peer.kind !== 'channel') return true;
  return world.tables.chats.get(peerKey(message.peer))?.megagroup ?? false;
}

/** The reactions that messages name their users of, the latest first. */
export function recentReactors(world: World, message: MessageRow): GivenReaction[] {
  if (!canSeeReactors(world, message)) return [];
  return reactionsTo(world, message).slice(-maxRecent).toReversed();
}

/** The reactions to a message as one viewer sees them; undefined if there are none. */
export function tlReactions(world: World, viewer: number, message: MessageRow): TlObject | undefined {
  return reactionsTo(world, message).length > 0 ? tlAllReactions(world, viewer, message) : undefined;
}

/** As {@link tlReactions}, also if there are none: an update says so. */
export function tlAllReactions(world: World, viewer: number, message: MessageRow): TlObject {
  const given = reactionsTo(world, message);
  const counts = new Map<string, number>();
  for (const key of given.flatMap(({ keys }) => keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const own = given.find(({ user }) => user === viewer)?.keys ?? [];
  const results = [...counts].toSorted(([, a], [, b]) => b - a);
  const recent = recentReactors(world, message);
  return {
    _: 'messageReactions',
    can_see_list: canSeeReactors(world, message),
    results: results.map(([key, count]) => ({
      _: 'reactionCount',
      chosen_order: own.includes(key) ? own.indexOf(key) : undefined,
      reaction: tlReaction(key),
      count,
    })),
    recent_reactions: recent.length > 0 ? recent.flatMap((each) => tlPeerReactions(viewer, message, each)) : undefined,
  };
}

/** What one user has reacted with. */
export function tlPeerReactions(viewer: number, message: MessageRow, given: GivenReaction): TlObject[] {
  return given.keys.map((key) => ({
    _: 'messagePeerReaction',
    big: given.big ?? false,
    unread: message.from === viewer && (given.unread ?? false),
    my: given.user === viewer,
    peer_id: tlPeer(userPeer(given.user)),
    date: given.date,
    reaction: tlReaction(key),
  }));
}
