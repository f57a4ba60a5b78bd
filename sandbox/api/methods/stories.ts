import { RpcError, type TlObject } from '../../rpc.ts';
import { schemaOfLayer } from '../../tl/layers.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import { userPeer } from '../../world/state/peer.ts';
import {
  activeStories,
  maySee,
  postStory,
  requirePostPermission,
  storiesLeft,
  storiesOf,
} from '../../world/stories.ts';
import { inputMedia } from '../input/input-media.ts';
import { inputPeer, inputUser } from '../input/input-peer.ts';
import { inputText } from '../input/input-text.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlStory } from '../objects/tl-story.ts';
import { tlUpdates } from '../objects/tl-update.ts';
import { pushStory, tlUpdateStory } from '../push/push-story.ts';

/**
 * Stories are posted to the caller's own account only: channels have none here. @throws {RpcError} 400 PEER_ID_INVALID
 */
function requireOwnPeer(caller: Caller, params: TlObject): void {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  if (peer.kind !== 'user' || peer.id !== caller.me.id) throw new RpcError(400, 'PEER_ID_INVALID');
}

/** Older layers expect a Bool, newer ones the number of stories that are left. */
const canSendStory: Method = (params, caller) => {
  const { world, me, call } = caller;
  requireOwnPeer(caller, params);
  const count_remains = storiesLeft(world, me);
  const hasCount = schemaOfLayer(call.layer).definition('stories.canSendStoryCount') !== undefined;
  return hasCount ? { _: 'stories.canSendStoryCount', count_remains } : true;
};

/** Telegram answers in each of these forms. Here they take turns, by the story's ID. */
const answerShapes = [['updateStoryID'], ['updateStoryID', 'updateStory'], ['updateStory']] as const;

const sendStory: Method = async (params, caller) => {
  const { world, me, login } = caller;
  requireOwnPeer(caller, params);
  const rich = inputText(caller, params['caption'] ?? '', params['entities']);
  const period = params['period'] as number | undefined;
  const randomId = params['random_id'] as bigint;
  requirePostPermission(world, me, { ...rich, period, randomId });
  const privacy = privacyRules(caller, params['privacy_rules'] as TlObject[]);
  const media = await storyMedia(caller, params['media'] as TlObject);
  const pinned = params['pinned'] === true;
  const noforwards = params['noforwards'] === true;
  const sentBy = login.hash;
  const story = postStory(world, me, { ...rich, period, randomId, sentBy, privacy, media, pinned, noforwards });
  pushStory(world, story, caller.call.sessionId);
  const shape = answerShapes[story.id % answerShapes.length] ?? [];
  const updates = shape.map((name) =>
    name === 'updateStoryID' ? { _: name, id: story.id, random_id: randomId } : tlUpdateStory(world, story, me.id),
  );
  return tlUpdates(world, updates, new MentionedPeers(world, me.id).add(userPeer(me.id)).lists());
};

/** @throws {RpcError} 400 MEDIA_EMPTY, MEDIA_TYPE_INVALID, and what {@link inputMedia} throws */
async function storyMedia(caller: Caller, input: TlObject): Promise<MediaRow> {
  const media = await inputMedia(caller, input);
  if (media.kind === 'photo' || (media.kind === 'document' && media.video)) return media;
  throw new RpcError(400, 'MEDIA_TYPE_INVALID');
}

/** @throws {RpcError} 400 PRIVACY_VALUE_INVALID */
function privacyRules(caller: Caller, inputs: readonly TlObject[]): TlObject[] {
  if (inputs.length === 0) throw new RpcError(400, 'PRIVACY_VALUE_INVALID');
  return inputs.map(({ _: name, users, ...rest }) => ({
    _: name.replace(/^inputPrivacy/, 'privacy'),
    ...rest,
    ...(users ? { users: (users as TlObject[]).map((input) => BigInt(inputUser(caller, input).id)) } : {}),
  }));
}

const getPeerStories: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const stories = peer.kind === 'user' ? activeStories(world, peer.id) : [];
  const visible = stories.filter((story) => maySee(world, me.id, story));
  return {
    _: 'stories.peerStories',
    stories: { _: 'peerStories', peer: tlPeer(peer), stories: visible.map((story) => tlStory(world, me.id, story)) },
    ...new MentionedPeers(world, me.id).add(peer).lists(),
  };
};

const getStoriesByID: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const wanted = new Set(params['id'] as number[]);
  const found = storiesOf(world, peer.id).filter((story) => wanted.has(story.id) && maySee(world, me.id, story));
  return {
    _: 'stories.stories',
    count: found.length,
    stories: found.map((story) => tlStory(world, me.id, story)),
    ...new MentionedPeers(world, me.id).add(peer).lists(),
  };
};

/** The latest story of each peer that the caller may see; newer layers have an object for it. */
const getPeerMaxIDs: Method = (params, caller) => {
  const { world, me, call } = caller;
  const hasObject = schemaOfLayer(call.layer).definition('recentStory') !== undefined;
  return (params['id'] as TlObject[]).map((input) => {
    const peer = inputPeer(caller, input);
    const stories = peer.kind === 'user' ? activeStories(world, peer.id) : [];
    const latest = stories.findLast((story) => maySee(world, me.id, story))?.id;
    return hasObject ? { _: 'recentStory', max_id: latest } : (latest ?? 0);
  });
};

const deleteStories: Method = (params, caller) => {
  const { world, me } = caller;
  requireOwnPeer(caller, params);
  const wanted = new Set(params['id'] as number[]);
  const deleted = storiesOf(world, me.id).filter(({ id }) => wanted.has(id));
  for (const story of deleted) world.tables.stories.delete(world.tables.stories.keyOf(story));
  return deleted.map(({ id }) => id);
};

export const storyMethods: Record<string, Method> = {
  'stories.canSendStory': canSendStory,
  'stories.sendStory': sendStory,
  'stories.getPeerMaxIDs': getPeerMaxIDs,
  'stories.getPeerStories': getPeerStories,
  'stories.getStoriesByID': getStoriesByID,
  'stories.deleteStories': deleteStories,
};
