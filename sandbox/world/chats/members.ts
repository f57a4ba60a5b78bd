import { type PeerRef, peerKey } from '../state/peer.ts';
import type { ChatRow, Member } from '../state/rows.ts';
import type { World } from '../world.ts';

export function memberOf(chat: ChatRow, userId: number): Member | undefined {
  return chat.members[String(userId)];
}

/** Whether the user was removed, and is still banned. */
export function wasKicked(world: World, chat: ChatRow, userId: number): boolean {
  if (!chat.kicked?.includes(userId)) return false;
  const until = chat.bans?.[String(userId)]?.until ?? 0;
  return until === 0 || until > world.now();
}

export function isAdmin(chat: ChatRow, userId: number): boolean {
  return memberOf(chat, userId)?.role !== undefined;
}

export function memberCount(chat: ChatRow): number {
  return Object.keys(chat.members).length;
}

export function memberIds(chat: ChatRow): number[] {
  return Object.keys(chat.members).map(Number);
}

/** Undefined if the creator has left. */
export function creatorOf(chat: ChatRow): number | undefined {
  return memberIds(chat).find((id) => memberOf(chat, id)?.role === 'creator');
}

/** Who is said to have made a change that nobody in particular has made; undefined if the chat has no members. */
export function actorOf(chat: ChatRow): number | undefined {
  return creatorOf(chat) ?? memberIds(chat).find((id) => isAdmin(chat, id)) ?? memberIds(chat)[0];
}

/** The IDs of everyone else in a chat. */
export function othersIn(world: World, from: number, peer: PeerRef): number[] {
  if (peer.kind === 'user') return peer.id === from ? [] : [peer.id];
  const chat = world.tables.chats.get(peerKey(peer));
  return chat ? memberIds(chat).filter((id) => id !== from) : [];
}
