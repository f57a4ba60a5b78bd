import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { PeerNotFoundError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';

/** What the peer cache knows of a peer. @throws {PeerNotFoundError} */
export function knownPeer(book: PeerCache, { id }: Peer): KnownPeer {
  return book.get(id) ?? unknownPeer(id);
}

/** @throws {PeerNotFoundError} always */
export function unknownPeer(id: string): never {
  throw new PeerNotFoundError(`the account has never met ${id}`);
}
