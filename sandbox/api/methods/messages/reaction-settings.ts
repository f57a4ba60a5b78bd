import { createHash } from 'node:crypto';
import { RpcError, type TlObject } from '../../../rpc.ts';
import { isAdmin } from '../../../world/chats/members.ts';
import { stickersOfSet } from '../../../world/files/stickers.ts';
import { availableReactions } from '../../../world/reactions/available-reactions.ts';
import { type PeerRef, peerKey } from '../../../world/state/peer.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlReaction } from '../../objects/messages/tl-reactions.ts';
import { tlDocument } from '../../objects/tl-file.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';
import { reactionKey } from './reactions.ts';

/** What a client has already is not sent again. */
const reactionsHash = createHash('sha1').update(availableReactions.join()).digest().readInt32LE();

/** All reactions share the picture of a sample sticker: the sandbox has no drawing of each. */
const getAvailableReactions: Method = (params, { world, me }) => {
  if (params['hash'] === reactionsHash) return { _: 'messages.availableReactionsNotModified' };
  const [sticker] = stickersOfSet(world);
  if (!sticker) return { _: 'messages.availableReactions', hash: reactionsHash, reactions: [] };
  const picture = tlDocument(world, me.id, sticker);
  return {
    _: 'messages.availableReactions',
    hash: reactionsHash,
    reactions: availableReactions.map(([reaction, title]) => ({
      _: 'availableReaction',
      reaction,
      title,
      static_icon: picture,
      appear_animation: picture,
      select_animation: picture,
      activate_animation: picture,
      effect_animation: picture,
    })),
  };
};

function tlReactionPage(keys: readonly string[], params: TlObject): TlObject {
  const hash = createHash('sha1').update(keys.join()).digest().readBigInt64LE();
  if (params['hash'] === hash) return { _: 'messages.reactionsNotModified' };
  return { _: 'messages.reactions', hash, reactions: keys.slice(0, params['limit'] as number).map(tlReaction) };
}

const getRecentReactions: Method = (params, { me }) => tlReactionPage(me.recentReactions ?? [], params);

/** What the user gives most; then what all users have. */
const getTopReactions: Method = (params, { me }) => {
  const all = availableReactions.map(([emoji]) => emoji);
  return tlReactionPage([...new Set([...(me.recentReactions ?? []), ...all])], params);
};

const clearRecentReactions: Method = (_params, { world, me, call }) => {
  world.tables.users.put({ ...me, recentReactions: [] });
  pushEvent(world, me.id, { _: 'updateRecentReactions' }, [], call.sessionId);
  return true;
};

/** @throws {RpcError} 400 CHAT_ADMIN_REQUIRED, CHAT_NOT_MODIFIED, PEER_ID_INVALID */
const setChatAvailableReactions: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat) throw new RpcError(400, 'PEER_ID_INVALID');
  if (!isAdmin(chat, me.id)) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  const allowed = allowedReactions(world, params['available_reactions'] as TlObject);
  if (allowed?.join() === chat.reactions?.join()) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  const { reactions: _before, ...rest } = chat;
  world.tables.chats.put(allowed ? { ...rest, reactions: allowed } : rest);
  return announceChat(caller, peer, chat);
};

/** Undefined: all. @throws {RpcError} 400 REACTION_INVALID */
function allowedReactions(world: World, input: TlObject): string[] | undefined {
  if (input._ === 'chatReactionsAll') return undefined;
  return ((input['reactions'] ?? []) as TlObject[]).map((reaction) => reactionKey(world, reaction));
}

/** Tells all members that they have to ask for the chat again. */
function announceChat({ world, me, call }: Caller, peer: PeerRef, chat: ChatRow): TlObject {
  const update =
    peer.kind === 'channel'
      ? { _: 'updateChannel', channel_id: BigInt(peer.id) }
      : { _: 'updateChat', chat_id: BigInt(peer.id) };
  for (const id of Object.keys(chat.members)) pushEvent(world, Number(id), update, [peer], call.sessionId);
  return tlUpdates(world, [update], new MentionedPeers(world, me.id).add(peer).lists());
}

export const reactionSettingMethods: Record<string, Method> = {
  'messages.getAvailableReactions': getAvailableReactions,
  'messages.getRecentReactions': getRecentReactions,
  'messages.getTopReactions': getTopReactions,
  'messages.clearRecentReactions': clearRecentReactions,
  'messages.setChatAvailableReactions': setChatAvailableReactions,
};
