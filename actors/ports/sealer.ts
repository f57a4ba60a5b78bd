/**
 * Text sealed with the key of one session (AES-256-GCM). To the chart, the log and the projections it is opaque; who
 * holds the session's key can open it, and when the key is destroyed nobody can.
 */
export type Sealed = string & { readonly __sealed: unique symbol };

export interface Sealer {
  /** Makes and records the key of a new session. Resolves when it is durable. */
  createKey(sessionId: string): Promise<void>;
  /**
   * `context` is what the text is bound to (the ID of the event that first carries it, say): it is kept, readable,
   * inside the sealed text and authenticated together with the session's ID.
   * @throws {KeyDestroyedError} the session is deleted.
   */
  seal(sessionId: string, context: string, text: string): Promise<Sealed>;
  /** The text, or undefined if the session's key has been destroyed. @throws {BrokenSealError} */
  open(sessionId: string, sealed: Sealed): Promise<string | undefined>;
  /** The same at once; undefined also if the key is not in memory: then `open` knows. @throws {BrokenSealError} */
  openCached(sessionId: string, sealed: Sealed): string | undefined;
  /** Destroys the session's key and with it all that was sealed. Safe to repeat. */
  destroyKey(sessionId: string): Promise<void>;
}

/** A sealed text was changed, or belongs to another session or key. The message says nothing of what is in it. */
export class BrokenSealError extends Error {
  override name = 'BrokenSealError';
}

/** The session is deleted: nothing can be sealed for it any more. */
export class KeyDestroyedError extends Error {
  override name = 'KeyDestroyedError';
}
