import type { TlObject } from '../../../rpc.ts';
import type { UpdateRow } from '../../../world/state/message-rows.ts';
import { boxOf, type PeerRef } from '../../../world/state/peer.ts';
import type { Caller } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { messagesOf, tlUpdate, tlUpdates } from '../../objects/tl-update.ts';

/** The answer to a method that has changed a chat: the caller's own updates of it. */
export function tlOwnUpdates({ world, me }: Caller, peer: PeerRef, rows: readonly UpdateRow[]): TlObject {
  const own = rows.filter(({ box }) => box === boxOf(me.id, peer));
  const mentioned = new MentionedPeers(world, me.id)
    .add(peer)
    .addMessages(own.flatMap((row) => messagesOf(world, row)));
  return tlUpdates(
    world,
    own.flatMap((row) => tlUpdate(world, me.id, row) ?? []),
    mentioned.lists(),
  );
}
