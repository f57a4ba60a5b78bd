import type { Sealer } from '../../actors/ports/sealer.ts';

/**
 * A sealer that, before it destroys a session's key, has what else is kept of the session erased. Where that fails the
 * key stays, so that it is done again: a moment later, or after a restart.
 */
export function erasingSealer(sealer: Sealer, erase: (sessionId: string) => Promise<void>): Sealer {
  return {
    createKey: (sessionId) => sealer.createKey(sessionId),
    seal: (sessionId, context, text) => sealer.seal(sessionId, context, text),
    open: (sessionId, sealed) => sealer.open(sessionId, sealed),
    openCached: (sessionId, sealed) => sealer.openCached(sessionId, sealed),
    destroyKey: async (sessionId) => {
      await erase(sessionId);
      await sealer.destroyKey(sessionId);
    },
  };
}
