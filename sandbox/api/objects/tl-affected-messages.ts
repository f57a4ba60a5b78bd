import type { TlObject } from '../../rpc.ts';
import type { UpdateRow } from '../../world/state/message-rows.ts';
import type { PeerKey } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';

/** The answer to a method that has made these updates, for the caller's or the channel's message box. */
export function tlAffectedMessages(world: World, box: PeerKey, updates: readonly UpdateRow[]): TlObject {
  const inBox = updates.find((update) => update.box === box);
  const pts = inBox?.pts ?? world.tables.box(box).pts;
  return { _: 'messages.affectedMessages', pts, pts_count: inBox?.count ?? 0 };
}
