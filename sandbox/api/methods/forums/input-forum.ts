import { RpcError, type TlObject } from '../../../rpc.ts';
import { memberOf } from '../../../world/chats/members.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputGroupOrChannel } from '../../input/input-chat.ts';
import { inputChannel } from '../../input/input-peer.ts';
import type { Caller } from '../../method.ts';

/**
 * The forum of a call: earlier layers name it as `channel`, later ones as `peer`.
 * @throws {RpcError} 400 CHANNEL_FORUM_MISSING, CHANNEL_INVALID, CHANNEL_PRIVATE, PEER_ID_INVALID
 */
export function inputForum(caller: Caller, { channel, peer }: TlObject): ChatRow {
  const chat = channel ? inputChannel(caller, channel as TlObject) : inputGroupOrChannel(caller, peer as TlObject);
  if (!memberOf(chat, caller.me.id) && !chat.username) throw new RpcError(400, 'CHANNEL_PRIVATE');
  if (!chat.forum) throw new RpcError(400, 'CHANNEL_FORUM_MISSING');
  return chat;
}
