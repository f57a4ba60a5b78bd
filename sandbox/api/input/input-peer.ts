import { RpcError, type TlObject } from '../../rpc.ts';
import { accessHash } from '../../world/access-hash.ts';
import { memberOf, wasKicked } from '../../world/chats/members.ts';
import { boxOf, channelPeer, chatPeer, type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import type { ChatRow, UserRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';

/** Whose access hashes count. */
interface Viewer {
  world: World;
  me: UserRow;
}

/** @throws {RpcError} 400 PEER_ID_INVALID, CHANNEL_INVALID or CHANNEL_PRIVATE */
export function inputPeer({ world, me }: Viewer, input: TlObject): PeerRef {
  if (input._ === 'inputPeerSelf') return userPeer(me.id);
  if (input._ === 'inputPeerUser' || input._ === 'inputPeerUserFromMessage') {
    return userPeer(inputUser({ world, me }, input, 'PEER_ID_INVALID').id);
  }
  if (input._ === 'inputPeerChat') {
    const chat = world.tables.chats.get(`chat:${input['chat_id']}`);
    const hasHistory = world.tables.history(`user:${me.id}`, `chat:${input['chat_id']}`).length > 0;
    if (!chat || (!memberOf(chat, me.id) && !hasHistory)) throw new RpcError(400, 'PEER_ID_INVALID');
    return chatPeer(chat.id);
  }
  if (input._ === 'inputPeerChannel' || input._ === 'inputPeerChannelFromMessage') {
    return channelPeer(inputChannel({ world, me }, input).id);
  }
  throw new RpcError(400, 'PEER_ID_INVALID');
}

/** @throws {RpcError} 400 `error` if the user does not exist or the access hash is not this viewer's */
export function inputUser({ world, me }: Viewer, input: TlObject, error = 'USER_ID_INVALID'): UserRow {
  if (input._ === 'inputUserSelf' || input._ === 'inputPeerSelf') return me;
  if (input['peer'] && input['msg_id'] !== undefined) return userFromMessage({ world, me }, input, error);
  const user = world.tables.users.get(String(input['user_id']));
  if (!user) throw new RpcError(400, error);
  if (user === me || input['access_hash'] === accessHash(world, me.id, 'user', user.id)) return user;
  if (isWithoutHash(me, input) && hasMet(world, me, user)) return user;
  throw new RpcError(400, error);
}

/** @throws {RpcError} 400 CHANNEL_INVALID; 400 CHANNEL_PRIVATE if the channel is private and the viewer not a member */
export function inputChannel({ world, me }: Viewer, input: TlObject): ChatRow {
  const chat = world.tables.chats.get(`channel:${input['channel_id']}`);
  if (!chat) throw new RpcError(400, 'CHANNEL_INVALID');
  const isNamed =
    input['msg_id'] !== undefined ||
    input['access_hash'] === accessHash(world, me.id, 'channel', chat.id) ||
    (isWithoutHash(me, input) && memberOf(chat, me.id));
  if (!isNamed) throw new RpcError(400, 'CHANNEL_INVALID');
  if (!memberOf(chat, me.id) && (!chat.username || wasKicked(world, chat, me.id)))
    throw new RpcError(400, 'CHANNEL_PRIVATE');
  return chat;
}

/** Bots may leave the hash out (0) for users and channels that they have met; TDLib does so for every unknown one. */
const isWithoutHash = (me: UserRow, input: TlObject): boolean => me.bot === true && input['access_hash'] === 0n;

/** Whether they have a private chat or a common group. */
function hasMet(world: World, me: UserRow, user: UserRow): boolean {
  if (world.tables.history(boxOf(me.id, userPeer(user.id)), peerKey(userPeer(user.id))).length > 0) return true;
  return [...world.tables.chats.values()].some((chat) => memberOf(chat, me.id) && memberOf(chat, user.id));
}

/** A user named by a message that the viewer can see: the way to use a `min` user. */
function userFromMessage(viewer: Viewer, input: TlObject, error: string): UserRow {
  const chat = inputPeer(viewer, input['peer'] as TlObject);
  const message = viewer.world.tables.message(boxOf(viewer.me.id, chat), Number(input['msg_id']));
  const user = viewer.world.tables.users.get(String(input['user_id']));
  const isMentioned = message?.entities?.some((entity) => entity['user_id'] === input['user_id']) ?? false;
  if (!user || !message || (message.from !== user.id && !isMentioned)) throw new RpcError(400, error);
  return user;
}
