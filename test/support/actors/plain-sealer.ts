import { createHash } from 'node:crypto';
import { KeyDestroyedError, type Sealed, type Sealer } from '../../../actors/ports/sealer.ts';

export interface PlainSealer extends Sealer {
  /** As `Vault.fingerprint`. */
  fingerprint(sessionId: string, text: string): Promise<Buffer>;
  /** Sessions whose key exists. */
  readonly keys: ReadonlySet<string>;
  /** Until when something is kept for the log-out of a deleted session, by session. Tests fill it. */
  readonly keptLogOuts: Map<string, number>;
  /** The next calls of `destroyKey` fail with these, one each. */
  readonly failures: Error[];
}

/** A sealer that hides nothing, but knows whose key exists: `context|text`. */
export function createPlainSealer(): PlainSealer {
  const keys = new Set<string>();
  const keptLogOuts = new Map<string, number>();
  const failures: Error[] = [];
  const openCached = (sessionId: string, sealed: Sealed): string | undefined =>
    keys.has(sessionId) ? sealed.slice(sealed.indexOf('|') + 1) : undefined;
  return {
    keys,
    keptLogOuts,
    failures,
    createKey: async (sessionId) => void keys.add(sessionId),
    async seal(sessionId, context, text) {
      if (!keys.has(sessionId)) throw new KeyDestroyedError(`no key for ${sessionId}`);
      return `${context}|${text}` as Sealed;
    },
    open: async (sessionId, sealed) => openCached(sessionId, sealed),
    openCached,
    fingerprint: async (sessionId, text) => createHash('sha256').update(`${sessionId} ${text}`).digest(),
    async destroyKey(sessionId) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      keys.delete(sessionId);
      return keptLogOuts.get(sessionId);
    },
    giveUpLogOut: async (sessionId) => void keptLogOuts.delete(sessionId),
  };
}
