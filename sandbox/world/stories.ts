import { RpcError, type TlObject } from '../rpc.ts';
import type { RichText } from './messages/rich-text.ts';
import type { MediaRow } from './state/file-rows.ts';
import type { StoryRow, UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** `story_expiring_limit_default` and `…_premium` of https://core.telegram.org/api/config#client-configuration */
const maxStories = 3;
const maxStoriesPremium = 100;
/** `story_caption_length_limit_default` and `…_premium`, in UTF-16 code units. */
const maxStoryCaptionLength = 200;
const maxStoryCaptionLengthPremium = 2_048;
const defaultPeriodSeconds = 86_400;
/** Seconds. Only premium users may choose another period than a day. */
const allowedPeriods = new Set([6 * 3_600, 12 * 3_600, defaultPeriodSeconds, 2 * defaultPeriodSeconds]);

export interface StoryDraft extends RichText {
  media: MediaRow;
  privacy: TlObject[];
  /** Seconds; a day if left out. */
  period: number | undefined;
  randomId: bigint;
  /** The `hash` of the login that posts it. */
  sentBy: string;
  pinned: boolean;
  noforwards: boolean;
}

/** A user's stories that have not expired, oldest first. */
export function activeStories(world: World, owner: number): StoryRow[] {
  return storiesOf(world, owner).filter(({ expires }) => expires > world.now());
}

/** All of a user's stories, expired ones too, oldest first. */
export function storiesOf(world: World, owner: number): StoryRow[] {
  return [...world.tables.stories.values()].filter((story) => story.owner === owner);
}

/** The number of stories that the user may still post now. @throws {RpcError} 400 STORIES_TOO_MUCH */
export function storiesLeft(world: World, owner: UserRow): number {
  const left = (owner.premium ? maxStoriesPremium : maxStories) - activeStories(world, owner.id).length;
  if (left <= 0) throw new RpcError(400, 'STORIES_TOO_MUCH');
  return left;
}

/**
 * @throws {RpcError} RANDOM_ID_DUPLICATE; 400 STORIES_TOO_MUCH, STORY_PERIOD_INVALID, PREMIUM_ACCOUNT_REQUIRED,
 * MEDIA_CAPTION_TOO_LONG
 */
export function requirePostPermission(
  world: World,
  owner: UserRow,
  draft: Pick<StoryDraft, 'period' | 'randomId' | 'text'>,
): void {
  const taken = storiesOf(world, owner.id).some(({ randomId }) => randomId === String(draft.randomId));
  if (taken) throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  storiesLeft(world, owner);
  const { period = defaultPeriodSeconds } = draft;
  if (!allowedPeriods.has(period)) throw new RpcError(400, 'STORY_PERIOD_INVALID');
  if (period !== defaultPeriodSeconds && !owner.premium) throw new RpcError(400, 'PREMIUM_ACCOUNT_REQUIRED');
  const maxCaption = owner.premium ? maxStoryCaptionLengthPremium : maxStoryCaptionLength;
  if (draft.text.length > maxCaption) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
}

/** @throws {RpcError} as {@link requirePostPermission} */
export function postStory(world: World, owner: UserRow, draft: StoryDraft): StoryRow {
  requirePostPermission(world, owner, draft);
  const counter = `lastStory/${owner.id}`;
  const id = (world.tables.meta.get(counter)?.value ?? 0) + 1;
  world.tables.meta.put({ name: counter, value: id });
  const date = world.now();
  const { text, entities, media, privacy, randomId, sentBy, pinned, noforwards } = draft;
  return world.tables.stories.put({
    owner: owner.id,
    id,
    date,
    expires: date + (draft.period ?? defaultPeriodSeconds),
    caption: text,
    entities,
    media,
    privacy,
    randomId: String(randomId),
    sentBy,
    ...(pinned ? { pinned } : {}),
    ...(noforwards ? { noforwards } : {}),
  });
}

/** Whether the story's privacy rules let the viewer see it. The first rule that applies to the viewer decides. */
export function maySee(world: World, viewer: number, story: StoryRow): boolean {
  if (viewer === story.owner) return true;
  const owner = world.tables.users.get(story.owner);
  if (owner?.storiesBlocked?.includes(viewer)) return false;
  for (const rule of story.privacy) {
    const users = new Set((rule['users'] ?? []) as bigint[]);
    const isContact = owner?.contacts?.includes(viewer) ?? false;
    if (rule._ === 'privacyValueAllowAll') return true;
    if (rule._ === 'privacyValueDisallowAll') return false;
    if (rule._ === 'privacyValueAllowContacts' && isContact) return true;
    if (rule._ === 'privacyValueDisallowContacts' && isContact) return false;
    if (rule._ === 'privacyValueAllowCloseFriends' && owner?.closeFriends?.includes(viewer)) return true;
    if (rule._ === 'privacyValueAllowUsers' && users.has(BigInt(viewer))) return true;
    if (rule._ === 'privacyValueDisallowUsers' && users.has(BigInt(viewer))) return false;
  }
  return false;
}
