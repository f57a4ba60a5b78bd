import type { TlObject } from '../../rpc.ts';
import { noteEvent } from '../../world/events.ts';
import type { PeerRef } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlEvent } from '../objects/tl-event.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/**
 * Pushes an update without `pts` to a user's devices, and keeps it for those that are away. `peers`: what the update
 * mentions, the chat first. `exceptSession` has it in its answer.
 */
export function pushEvent(
  world: World,
  owner: number,
  update: TlObject,
  peers: readonly PeerRef[],
  exceptSession?: bigint,
): void {
  const event = noteEvent(world, owner, update, peers);
  const written = event && tlEvent(world, event);
  if (!written) return;
  const mentioned = new MentionedPeers(world, owner, true).add(...peers);
  world.push(owner, tlUpdates(world, [written], mentioned.lists()), exceptSession);
}
