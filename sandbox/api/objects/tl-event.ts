import type { TlObject } from '../../rpc.ts';
import { scheduledKey } from '../../world/scheduled/scheduled-messages.ts';
import type { EventRow } from '../../world/state/message-rows.ts';
import { boxOf, type PeerRef } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { tlPollUpdate } from './messages/tl-poll.ts';
import { tlAllReactions } from './messages/tl-reactions.ts';
import { tlMessage } from './tl-message.ts';
import { tlPeer } from './tl-peer.ts';

/**
 * An update without `pts` as its owner gets it. What depends on the viewer is written anew, as it is now; undefined if
 * it is no more.
 */
export function tlEvent(world: World, { owner, update, peers }: EventRow): TlObject | undefined {
  const peer = peers[0] as PeerRef;
  if (update._ === 'updateMessageReactions') {
    const message = world.tables.message(boxOf(owner, peer), Number(update['msg_id']));
    return message && { ...update, peer: tlPeer(peer), reactions: tlAllReactions(world, owner, message) };
  }
  if (update._ === 'updateMessagePoll') {
    const poll = world.tables.polls.get(String(update['poll_id']));
    return poll && tlPollUpdate(world, owner, poll);
  }
  if (update._ === 'updateNewScheduledMessage') {
    const row = world.tables.scheduled.get(scheduledKey(owner, peer, Number(update['id'])));
    return row && { _: update._, message: tlMessage(world, owner, row.message) };
  }
  if (update._ === 'updateDeleteScheduledMessages') return { ...update, peer: tlPeer(peer) };
  return update;
}
