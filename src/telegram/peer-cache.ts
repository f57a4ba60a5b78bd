import { LruMap } from '../../actors/kit/lru-map.ts';

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

/**
 * Limit of people, and limit of groups and channels. One answer hands out the IDs of up to 10,000 members, all of which
 * have to work (GR3), beside those met before. One row takes about 100 bytes.
 */
const maxOfEach = 25_000;

/**
 * The peers that an account met most recently, by ID. (D5: GramJS adds a row for each mention and deletes none.) It is
 * part of the stored login, so that a restart needs no list of dialogs.
 */
export class PeerCache {
  /** Kept apart: the members of a large group, learnt all at once, must not evict the groups. */
  readonly #people: LruMap<string, KnownPeer>;
  readonly #chats: LruMap<string, KnownPeer>;
  #onChange: () => void = () => undefined;

  /** @param limit of people, and of groups and channels */
  constructor(peers: Iterable<KnownPeer> = [], limit = maxOfEach) {
    this.#people = new LruMap(limit);
    this.#chats = new LruMap(limit);
    for (const peer of peers) this.#sortOf(peer.id).set(peer.id, peer);
  }

  /** Called when something new was learnt: a reason to save. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  get(id: string): KnownPeer | undefined {
    return this.#sortOf(id).get(id);
  }

  learn(peer: KnownPeer): void {
    const sort = this.#sortOf(peer.id);
    const before = sort.get(peer.id);
    const isNews = before === undefined || differ(before, peer);
    sort.set(peer.id, isNews ? peer : before);
    if (isNews) this.#onChange();
  }

  /** Groups and channels, then people; in each, the least recently met first. */
  all(): KnownPeer[] {
    return [...this.#chats.values(), ...this.#people.values()];
  }

  get size(): number {
    return this.#chats.size + this.#people.size;
  }

  #sortOf(id: string): LruMap<string, KnownPeer> {
    return id.startsWith('-') ? this.#chats : this.#people;
  }
}

const differ = (a: KnownPeer, b: KnownPeer): boolean => a.hash !== b.hash || a.kind !== b.kind || a.left !== b.left;
