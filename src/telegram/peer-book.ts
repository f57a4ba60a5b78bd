/** What must be known of a peer to address it, beside its ID. */
export interface KnownPeer {
  kind: 'user' | 'group' | 'channel';
  /** As the interface spells it: `1001`, `-2001` (basic group), `-1003001` (supergroup, channel). */
  id: string;
  /** Telegram's access hash, decimal, valid for this account alone; basic groups have none. */
  hash?: string;
  /** The account is not, or no longer, in this group or channel. */
  left?: true;
}

/** Enough for the chats of a busy account; one row takes about 100 bytes. */
const mostPeers = 5_000;

/**
 * The peers that an account has met, by ID, the most recently met kept. (D5: GramJS keeps a new row for each mention,
 * for ever.) It goes into the stored login, so that a restart needs no list of dialogs.
 */
export class PeerBook {
  readonly #peers = new Map<string, KnownPeer>();
  readonly #limit: number;
  #onChange: () => void = () => undefined;

  constructor(peers: Iterable<KnownPeer> = [], limit = mostPeers) {
    this.#limit = limit;
    for (const peer of peers) this.#peers.set(peer.id, peer);
  }

  /** Called when something new was learnt: a reason to save. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  get(id: string): KnownPeer | undefined {
    const peer = this.#peers.get(id);
    if (peer !== undefined) this.#moveToEnd(peer);
    return peer;
  }

  learn(peer: KnownPeer): void {
    const before = this.#peers.get(peer.id);
    const isNews = before === undefined || differ(before, peer);
    this.#moveToEnd(isNews ? peer : before);
    for (const id of this.#peers.keys()) {
      if (this.#peers.size <= this.#limit) break;
      this.#peers.delete(id);
    }
    if (isNews) this.#onChange();
  }

  /** The longest not met first. */
  all(): KnownPeer[] {
    return [...this.#peers.values()];
  }

  get size(): number {
    return this.#peers.size;
  }

  #moveToEnd(peer: KnownPeer): void {
    this.#peers.delete(peer.id);
    this.#peers.set(peer.id, peer);
  }
}

const differ = (a: KnownPeer, b: KnownPeer): boolean => a.hash !== b.hash || a.kind !== b.kind || a.left !== b.left;
