import { type PeerRef, peerKey } from './state/peer.ts';
import type { ChatRow, Member } from './state/rows.ts';
import type { World } from './world.ts';

export function memberOf(chat: ChatRow, userId: number): Member | undefined {
  return chat.members[String(userId)];
}

export function wasKicked(chat: ChatRow, userId: number): boolean {
  return chat.kicked?.includes(userId) ?? false;
}

export function isAdmin(chat: ChatRow, userId: number): boolean {
  return memberOf(chat, userId)?.role !== undefined;
}

export function memberCount(chat: ChatRow): number {
  return Object.keys(chat.members).length;
}

function memberIds(chat: ChatRow): number[] {
  return Object.keys(chat.members).map(Number);
}

/** The IDs of everyone else in a chat. */
export function othersIn(world: World, from: number, peer: PeerRef): number[] {
  if (peer.kind === 'user') return peer.id === from ? [] : [peer.id];
  const chat = world.tables.chats.get(peerKey(peer));
  return chat ? memberIds(chat).filter((id) => id !== from) : [];
}
