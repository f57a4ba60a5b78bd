import type { TlObject } from '../../rpc.ts';
import { qtsOf } from '../../world/bots/bot-updates.ts';
import { dialogsOf, unreadCount } from '../../world/dialogs.ts';
import { peerKey, userPeer } from '../../world/state/peer.ts';
import type { Caller } from '../method.ts';

/** The account's update state. `pts` is the current one unless given: a slice of a difference ends earlier. */
export function tlState({ world, me }: Pick<Caller, 'world' | 'me'>, pts?: number): TlObject {
  return {
    _: 'updates.state',
    pts: pts ?? world.tables.box(peerKey(userPeer(me.id))).pts,
    qts: qtsOf(world, me.id),
    date: world.now(),
    seq: 1,
    unread_count: dialogsOf(world, me.id).reduce((sum, { peer }) => sum + unreadCount(world, me.id, peer), 0),
  };
}
