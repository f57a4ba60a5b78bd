import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { PeerNotFoundError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';

/** What the peer cache knows of a peer. @throws {PeerNotFoundError} */
export function knownPeer(book: PeerCache, { id }: Peer): KnownPeer {
  return book.get(id) ?? unknownPeer(id);
}

/** Whether its messages have numbers of their own: those of private chats and basic groups share one numbering. */
export const isNumberedAlone = ({ kind, hash }: KnownPeer): boolean => kind !== 'user' && hash !== undefined;

/** @throws {PeerNotFoundError} always */
export function unknownPeer(id: string): never {
  throw new PeerNotFoundError(`the account has never met ${id}`);
}
