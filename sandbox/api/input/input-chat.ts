import { RpcError, type TlObject } from '../../rpc.ts';
import { memberOf } from '../../world/chats/members.ts';
import { peerKey } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { Caller } from '../method.ts';
import { inputPeer } from './input-peer.ts';

/** A basic group that the caller is in. @throws {RpcError} 400 CHAT_ID_INVALID */
export function inputBasicGroup({ world, me }: Pick<Caller, 'world' | 'me'>, id: bigint): ChatRow {
  const chat = world.tables.chats.get(`chat:${id}`);
  if (!chat || !memberOf(chat, me.id)) throw new RpcError(400, 'CHAT_ID_INVALID');
  return chat;
}

/** A basic group that has not become a supergroup. @throws {RpcError} 400 CHAT_ID_INVALID */
export function inputActiveGroup(caller: Caller, id: bigint): ChatRow {
  const chat = inputBasicGroup(caller, id);
  if (chat.migratedTo !== undefined) throw new RpcError(400, 'CHAT_ID_INVALID');
  return chat;
}

/** A group or channel by its `InputPeer`. @throws {RpcError} 400 PEER_ID_INVALID, CHANNEL_INVALID, CHANNEL_PRIVATE */
export function inputGroupOrChannel(caller: Caller, input: TlObject): ChatRow {
  const chat = caller.world.tables.chats.get(peerKey(inputPeer(caller, input)));
  if (!chat || chat.migratedTo !== undefined) throw new RpcError(400, 'PEER_ID_INVALID');
  return chat;
}
