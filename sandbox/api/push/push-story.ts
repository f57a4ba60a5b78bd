import type { TlObject } from '../../rpc.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { StoryRow } from '../../world/state/rows.ts';
import { maySee } from '../../world/stories.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlStory } from '../objects/tl-story.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/** Pushes a story to the owner's other devices and to the contacts who may see it. */
export function pushStory(world: World, story: StoryRow, exceptSession?: bigint): void {
  const { owner } = story;
  for (const viewer of [owner, ...(world.tables.users.get(owner)?.contacts ?? [])]) {
    if (world.tables.activeLogins(viewer).length === 0 || !maySee(world, viewer, story)) continue;
    const mentioned = new MentionedPeers(world, viewer).add(userPeer(owner)).lists();
    world.push(viewer, tlUpdates(world, [tlUpdateStory(world, story, viewer)], mentioned), exceptSession);
  }
}

export function tlUpdateStory(world: World, story: StoryRow, viewer: number): TlObject {
  return { _: 'updateStory', peer: tlPeer(userPeer(story.owner)), story: tlStory(world, viewer, story) };
}
