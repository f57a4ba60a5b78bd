import type { TlObject } from '../../rpc.ts';
import type { StoryRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlMedia } from './tl-message.ts';

/** A story as one viewer sees it. Only the owner gets the full privacy rules. */
export function tlStory(world: World, viewer: number, story: StoryRow): TlObject {
  const isOwner = viewer === story.owner;
  const allows = (audience: string): boolean =>
    story.privacy.some(({ _: name }) => name === `privacyValueAllow${audience}`);
  return {
    _: 'storyItem',
    pinned: story.pinned ?? false,
    noforwards: story.noforwards ?? false,
    public: allows('All'),
    contacts: allows('Contacts'),
    close_friends: allows('CloseFriends'),
    selected_contacts: allows('Users'),
    out: isOwner,
    id: story.id,
    date: story.date,
    expire_date: story.expires,
    caption: story.caption || undefined,
    entities: story.entities.length > 0 ? story.entities : undefined,
    media: tlMedia(world, viewer, story.media),
    privacy: isOwner ? story.privacy : undefined,
  };
}
