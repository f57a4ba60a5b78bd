import { createHash } from 'node:crypto';
import type { Partitions } from '../../../actors/ports/ownership.ts';
import type { LoginKey } from './login-state.ts';

/** Which session has which authorisation keys, by their hashes: Telegram ends a login whose key is used in two places. */
export class KeysInUse {
  readonly #owners = new Map<string, string>();
  readonly #hashes = new Map<string, readonly string[]>();
  readonly #loading = new Set<Promise<unknown>>();
  #askElsewhere: (hash: string) => Promise<boolean> = () => Promise.resolve(false);
  #owns: (sessionId: string) => boolean = () => true;

  /**
   * This process is one of several.
   * @param ask whether another process has a session with the key of this hash
   * @param owns whether this process acts for a session: the keys of one that has moved are its next owner's to tell
   */
  asksElsewhere(ask: (hash: string) => Promise<boolean>, owns: (sessionId: string) => boolean): void {
    this.#askElsewhere = ask;
    this.#owns = owns;
  }

  /** The session of this process that has the key of this hash. */
  ownerOf(hash: string): string | undefined {
    const owner = this.#owners.get(hash);
    return owner !== undefined && this.#owns(owner) ? owner : undefined;
  }

  /** A stored login is being read, and will be noted. */
  awaits(loading: Promise<unknown>): void {
    const settled = loading
      .catch(() => undefined)
      .finally(() => {
        this.#loading.delete(settled);
      });
    this.#loading.add(settled);
  }

  /** Resolves when no stored login is being read. */
  async loaded(): Promise<void> {
    while (this.#loading.size > 0) await Promise.all(this.#loading);
  }

  /** The keys that the session has from now on. */
  note(sessionId: string, keys: Iterable<Buffer>): void {
    this.release(sessionId);
    const hashes = Array.from(keys, hashOf);
    this.#hashes.set(sessionId, hashes);
    for (const hash of hashes) this.#owners.set(hash, sessionId);
  }

  /** The session has no key any more. */
  release(sessionId: string): void {
    for (const hash of this.#hashes.get(sessionId) ?? []) {
      if (this.#owners.get(hash) === sessionId) this.#owners.delete(hash);
    }
    this.#hashes.delete(sessionId);
  }

  /** Another process acts for these sessions, or did: what is known of their keys may be over. */
  forget(sessions: Partitions): void {
    for (const id of this.#hashes.keys()) if (sessions.has(id)) this.release(id);
  }

  /**
   * Reserves a key for a session that has none, after the logins that are being read. Two processes that reserve the same key at
   * once both find that it is taken.
   * @returns false if another session has it
   * @throws another process cannot be asked, or does not know yet
   */
  async take(sessionId: string, { key }: LoginKey): Promise<boolean> {
    await this.loaded();
    const hash = hashOf(key);
    const owner = this.ownerOf(hash);
    if (owner !== undefined && owner !== sessionId) return false;
    this.note(sessionId, [key]);
    try {
      if (!(await this.#askElsewhere(hash))) return true;
    } catch (error) {
      this.release(sessionId);
      throw error;
    }
    this.release(sessionId);
    return false;
  }
}

const hashOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64url');
