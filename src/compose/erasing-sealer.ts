import type { Sealer } from '../../actors/ports/sealer.ts';

/**
 * A sealer that erases the other data of a session before it destroys the session's key. If that fails the key stays,
 * so that the erasure is repeated: a moment later, or after a restart.
 */
export function erasingSealer(sealer: Sealer, erase: (sessionId: string) => Promise<void>): Sealer {
  return {
    createKey: (sessionId) => sealer.createKey(sessionId),
    seal: (sessionId, context, text) => sealer.seal(sessionId, context, text),
    open: (sessionId, sealed) => sealer.open(sessionId, sealed),
    openCached: (sessionId, sealed) => sealer.openCached(sessionId, sealed),
    destroyKey: async (sessionId, proxy) => {
      await erase(sessionId);
      return sealer.destroyKey(sessionId, proxy);
    },
    giveUpLogOut: (sessionId) => sealer.giveUpLogOut(sessionId),
  };
}
