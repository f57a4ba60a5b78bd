import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { KnownPeer } from '../../peer-cache.ts';

/** A known peer never changes, and a busy chat is addressed often. */
const inputPeers = new WeakMap<KnownPeer, Api.TypeInputPeer>();

/** The form in which a request addresses a peer. */
export function inputPeer(peer: KnownPeer): Api.TypeInputPeer {
  const made = inputPeers.get(peer) ?? makeInputPeer(peer);
  inputPeers.set(peer, made);
  return made;
}

function makeInputPeer({ kind, id, hash }: KnownPeer): Api.TypeInputPeer {
  const accessHash = bigInt(hash ?? '0');
  if (kind === 'user') return new Api.InputPeerUser({ userId: bigInt(id), accessHash });
  if (hash === undefined) return new Api.InputPeerChat({ chatId: bigInt(id.slice('-'.length)) });
  return new Api.InputPeerChannel({ channelId: bigInt(id.slice('-100'.length)), accessHash });
}

export function inputUser({ id, hash }: KnownPeer): Api.InputUser {
  // Stryker disable next-line StringLiteral: an empty text is 0 too
  return new Api.InputUser({ userId: bigInt(id), accessHash: bigInt(hash ?? '0') });
}

/** A supergroup or channel. */
export function inputChannel({ id, hash }: KnownPeer): Api.InputChannel {
  return new Api.InputChannel({ channelId: bigInt(id.slice('-100'.length)), accessHash: bigInt(hash ?? '0') });
}
