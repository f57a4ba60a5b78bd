import { viewersOf } from '../../world/messages/viewers.ts';
import { reactionsTo } from '../../world/reactions/give-reaction.ts';
import type { MessageRow } from '../../world/state/message-rows.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { pushEvent } from './push-event.ts';

/** Messages name the latest few who have reacted. */
const maxNamed = 3;

/** Shows the reactions to a message to all who see it. */
export function pushReactions(world: World, message: MessageRow, exceptSession?: bigint): void {
  for (const { viewer, copy } of viewersOf(world, message)) {
    const update = { _: 'updateMessageReactions', msg_id: copy.id };
    const reactors = reactionsTo(world, message).map(({ user }) => userPeer(user));
    pushEvent(world, viewer, update, [copy.peer, ...reactors.slice(-maxNamed)], exceptSession);
  }
}
