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

/** So many people, and so many groups and channels: enough for a busy account; one row takes about 100 bytes. */
const maxOfASort = 5_000;

/**
 * The peers that an account has met, by ID, the most recently met kept. (D5: GramJS keeps a new row for each mention,
 * for ever.) It goes into the stored login, so that a restart needs no list of dialogs.
 */
export class PeerCache {
  /** Apart, so that the members of a crowd, met all at once, put out no group. */
  readonly #people = new Map<string, KnownPeer>();
  readonly #chats = new Map<string, KnownPeer>();
  readonly #limit: number;
  #onChange: () => void = () => undefined;

  /** @param limit of people, and of groups and channels */
  constructor(peers: Iterable<KnownPeer> = [], limit = maxOfASort) {
    this.#limit = limit;
    for (const peer of peers) this.#sortOf(peer.id).set(peer.id, peer);
  }

  /** Called when something new was learnt: a reason to save. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  get(id: string): KnownPeer | undefined {
    const peer = this.#sortOf(id).get(id);
    if (peer !== undefined) this.#moveToEnd(peer);
    return peer;
  }

  learn(peer: KnownPeer): void {
    const sort = this.#sortOf(peer.id);
    const before = sort.get(peer.id);
    const isNews = before === undefined || differ(before, peer);
    this.#moveToEnd(isNews ? peer : before);
    for (const id of sort.keys()) {
      if (sort.size <= this.#limit) break;
      sort.delete(id);
    }
    if (isNews) this.#onChange();
  }

  /** Of each sort the longest not met first. */
  all(): KnownPeer[] {
    return [...this.#chats.values(), ...this.#people.values()];
  }

  get size(): number {
    return this.#chats.size + this.#people.size;
  }

  #sortOf(id: string): Map<string, KnownPeer> {
    return id.startsWith('-') ? this.#chats : this.#people;
  }

  #moveToEnd(peer: KnownPeer): void {
    const sort = this.#sortOf(peer.id);
    sort.delete(peer.id);
    sort.set(peer.id, peer);
  }
}

const differ = (a: KnownPeer, b: KnownPeer): boolean => a.hash !== b.hash || a.kind !== b.kind || a.left !== b.left;
