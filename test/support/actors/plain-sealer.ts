import { KeyDestroyedError, type Sealed, type Sealer } from '../../../actors/ports/sealer.ts';

export interface PlainSealer extends Sealer {
  /** Sessions whose key exists. */
  readonly keys: ReadonlySet<string>;
  /** The next calls of `destroyKey` fail with these, one each. */
  readonly failures: Error[];
}

/** A sealer that hides nothing, but knows whose key exists: `context|text`. */
export function createPlainSealer(): PlainSealer {
  const keys = new Set<string>();
  const failures: Error[] = [];
  const openCached = (sessionId: string, sealed: Sealed): string | undefined =>
    keys.has(sessionId) ? sealed.slice(sealed.indexOf('|') + 1) : undefined;
  return {
    keys,
    failures,
    createKey: async (sessionId) => void keys.add(sessionId),
    async seal(sessionId, context, text) {
      if (!keys.has(sessionId)) throw new KeyDestroyedError(`no key for ${sessionId}`);
      return `${context}|${text}` as Sealed;
    },
    open: async (sessionId, sealed) => openCached(sessionId, sealed),
    openCached,
    async destroyKey(sessionId) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      keys.delete(sessionId);
    },
  };
}
