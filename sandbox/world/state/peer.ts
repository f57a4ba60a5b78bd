/** A user, basic group, or channel (supergroups too). IDs have no mark: 1001, 2001, 3001. */
export interface PeerRef {
  kind: 'user' | 'chat' | 'channel';
  id: number;
}

/** `user:1001`: the key of a peer. Users and channels also have a message box of this key. */
export type PeerKey = string;

export const userPeer = (id: number): PeerRef => ({ kind: 'user', id });
export const chatPeer = (id: number): PeerRef => ({ kind: 'chat', id });
export const channelPeer = (id: number): PeerRef => ({ kind: 'channel', id });
export const peerKey = (peer: PeerRef): PeerKey => `${peer.kind}:${peer.id}`;
/** The message box that holds a chat's messages for this user. Channels have one box for all members. */
export const boxOf = (userId: number, peer: PeerRef): PeerKey =>
  peer.kind === 'channel' ? peerKey(peer) : peerKey(userPeer(userId));
export const samePeer = (a: PeerRef, b: PeerRef): boolean => a.kind === b.kind && a.id === b.id;

/** The marked ID, as bots know it: `1001`, `-2001` (basic group), `-1003001` (channel or supergroup). */
export function markedPeerId(peer: PeerRef): string {
  if (peer.kind === 'user') return String(peer.id);
  return peer.kind === 'chat' ? `-${peer.id}` : `-100${peer.id}`;
}

/** Added to the ID of a channel in the longer form of marked IDs: `-1000000003001`. */
const channelMark = 1_000_000_000_000;

/**
 * Reads a {@link markedPeerId}, or its longer form. `-100…` is a channel if more digits follow. Undefined if invalid.
 */
export function parseMarkedPeerId(text: string): PeerRef | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  if (value > 0) return userPeer(value);
  if (-value > channelMark && -value < 2 * channelMark) return channelPeer(-value - channelMark);
  const channel = /^-100([1-9]\d*)$/.exec(text);
  if (channel) return channelPeer(Number(channel[1]));
  return value < 0 ? chatPeer(-value) : undefined;
}
