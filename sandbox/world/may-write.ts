import { RpcError } from '../rpc.ts';
import { type PeerRef, peerKey } from './peer.ts';
import { memberOf } from './people.ts';
import type { ChatRow } from './rows.ts';
import type { World } from './world.ts';

/** @throws {RpcError} what Telegram answers to somebody who may not write there, or not now. */
export function requireMayWrite(world: World, from: number, peer: PeerRef): void {
  if (peer.kind === 'user') return requireMayWriteTo(world, from, peer.id);
  const chat = world.chats.get(peerKey(peer));
  if (!chat) throw new RpcError(400, 'PEER_ID_INVALID');
  const member = memberOf(chat, from);
  if (chat.kind === 'chat') {
    if (!member) throw new RpcError(400, 'PEER_ID_INVALID');
    return;
  }
  if (!member)
    throw new RpcError(chat.username ? 403 : 400, chat.username ? 'CHAT_WRITE_FORBIDDEN' : 'CHANNEL_PRIVATE');
  if (member.role) return;
  if (!chat.megagroup) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  if (chat.readOnly) throw new RpcError(403, 'CHAT_WRITE_FORBIDDEN');
  requireSlowmode(world, from, chat);
}

function requireMayWriteTo(world: World, from: number, to: number): void {
  const user = world.users.get(to);
  if (!user) throw new RpcError(400, 'PEER_ID_INVALID');
  if (user.deleted) throw new RpcError(400, 'INPUT_USER_DEACTIVATED');
  if (user.blocked?.includes(from)) throw new RpcError(400, 'USER_IS_BLOCKED');
  if (world.users.get(from)?.blocked?.includes(to)) throw new RpcError(400, 'YOU_BLOCKED_USER');
  if (user.bot && world.users.get(from)?.bot) throw new RpcError(400, 'USER_IS_BOT');
}

function requireSlowmode(world: World, from: number, chat: ChatRow): void {
  if (chat.slowmodeSeconds === undefined) return;
  const box = peerKey({ kind: chat.kind, id: chat.id });
  const now = world.now();
  const ids = world.history(box, box);
  for (let place = ids.length - 1; place >= 0; place -= 1) {
    const message = world.message(box, ids[place] as number);
    if (!message || message.date + chat.slowmodeSeconds <= now) return;
    if (message.from === from) throw new RpcError(420, `SLOWMODE_WAIT_${message.date + chat.slowmodeSeconds - now}`);
  }
}
