/**
 * Text sealed with the key of one session (AES-256-GCM). The chart, the log and the projections cannot read it. It
 * opens with the session's key, and not at all once that key is destroyed.
 */
export type Sealed = string & { readonly __sealed: unique symbol };

export interface Sealer {
  /** Creates and records the key of a new session. Resolves when it is durable. */
  createKey(sessionId: string): Promise<void>;
  /**
   * `context` is bound to the text, for example the ID of its first event: it is stored readable inside the sealed
   * text, and authenticated together with the session's ID.
   * @throws {KeyDestroyedError} the session is deleted
   */
  seal(sessionId: string, context: string, text: string): Promise<Sealed>;
  /** The text, or undefined if the session's key has been destroyed. @throws {BrokenSealError} */
  open(sessionId: string, sealed: Sealed): Promise<string | undefined>;
  /** The same, synchronously; also undefined if the key is not in memory. Then `open` knows. */
  openCached(sessionId: string, sealed: Sealed): string | undefined;
  /**
   * Destroys the session's key and with it all that was sealed. What a log-out at Telegram still needs is kept apart, if
   * there is a stored login. Safe to repeat.
   * @param proxy the URL of the session's proxy, which the log-out goes through; empty: none. Default: that of the stored
   * login
   * @returns until when it is kept for the log-out, milliseconds since 1970; undefined if nothing is left
   */
  destroyKey(sessionId: string, proxy?: string): Promise<number | undefined>;
  /** Destroys what {@link destroyKey} has kept. Safe to repeat. */
  giveUpLogOut(sessionId: string): Promise<void>;
}

/** A sealed text with its own key, which a master key wraps. */
export interface SealedApart {
  key: string;
  text: string;
}

/** Seals texts that belong to no session, each with a key of its own. */
export interface MasterSealer {
  /**
   * @param owner ID of what the text belongs to: it opens for no other
   * @param context what the text is
   */
  seal(owner: string, context: string, text: string): SealedApart;
  /** @throws {BrokenSealError} and an error if the master key is not given */
  open(owner: string, sealed: SealedApart): string;
}

/** A sealed text was altered, or belongs to another session or key. The message says nothing of its content. */
export class BrokenSealError extends Error {
  override name = 'BrokenSealError';
}

/** The session is deleted, so nothing can be sealed for it. */
export class KeyDestroyedError extends Error {
  override name = 'KeyDestroyedError';
}
