import { Api } from 'telegram/tl/index.js';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';

/** Adds every user and chat of an answer or an update to the peer cache. */
export function learnPeersOf(book: PeerCache, from: unknown): void {
  const { users, chats, user } = Object(from) as { users?: unknown; chats?: unknown; user?: unknown };
  for (const entity of [...list(users), ...list(chats), user]) {
    const peer = knownPeerOf(entity);
    if (peer !== undefined) book.learn(peer);
  }
}

/** The cache entry of a user or chat; undefined if it cannot be addressed with it. */
export function knownPeerOf(entity: unknown): KnownPeer | undefined {
  if (entity instanceof Api.User) {
    // The hash of a `min` user works for its photo only (https://core.telegram.org/api/min).
    if (entity.min || entity.accessHash === undefined || entity.accessHash === null) return undefined;
    return { kind: 'user', id: entity.id.toString(), hash: entity.accessHash.toString() };
  }
  if (entity instanceof Api.Chat) {
    return { kind: 'group', id: `-${entity.id.toString()}`, ...((entity.left || entity.deactivated) && gone) };
  }
  if (entity instanceof Api.ChatForbidden) return { kind: 'group', id: `-${entity.id.toString()}`, ...gone };
  if (entity instanceof Api.Channel || entity instanceof Api.ChannelForbidden) {
    const isWhole = entity instanceof Api.ChannelForbidden || !entity.min;
    if (!isWhole || entity.accessHash === undefined || entity.accessHash === null) return undefined;
    const hasLeft = entity instanceof Api.ChannelForbidden || entity.left;
    return {
      kind: entity.broadcast ? 'channel' : 'group',
      id: `-100${entity.id.toString()}`,
      hash: entity.accessHash.toString(),
      ...(hasLeft && gone),
    };
  }
  return undefined;
}

const gone = { left: true } as const;

/** The ID of a peer as the interface writes it. */
export function peerId(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return peer.userId.toString();
  return peer instanceof Api.PeerChat ? `-${peer.chatId.toString()}` : `-100${peer.channelId.toString()}`;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
