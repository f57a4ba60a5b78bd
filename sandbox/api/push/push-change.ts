import type { Change } from '../../world/notices.ts';
import type { World } from '../../world/world.ts';
import { tlNotices } from '../objects/tl-notice.ts';
import { tlUpdates } from '../objects/tl-update.ts';
import { pushMember } from './push-member.ts';
import { pushUpdates } from './push-updates.ts';

/** Pushes a change to all whom it concerns. `exceptSession` has it in its answer. */
export function pushChange(world: World, change: Change, exceptSession?: bigint): void {
  pushUpdates(world, change.updates, exceptSession);
  for (const owner of new Set(change.notices.map((notice) => notice.owner))) {
    const own = change.notices.filter((notice) => notice.owner === owner);
    const { updates, mentioned } = tlNotices(world, owner, own);
    if (updates.length > 0) world.push(owner, tlUpdates(world, updates, mentioned.lists()), exceptSession);
  }
  for (const member of change.members ?? []) pushMember(world, member);
}
