import { createHash } from 'node:crypto';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { contextOf, openBytes, sealBytes } from './sealing.ts';

/** AES-256. */
const masterKeyBytes = 32;

/** The master keys. The first wraps, all unwrap: a master key can be replaced while data keys wrapped by it exist. */
export interface KeyRing {
  /** Encrypts the session's data key for the store. */
  wrap(sessionId: string, dataKey: Buffer): string;
  /** @throws {MasterKeyMissingError} @throws {BrokenSealError} */
  unwrap(sessionId: string, wrapped: string): Buffer;
  /** Whether the first master key has wrapped it. */
  isCurrent(wrapped: string): boolean;
}

/** The master key that wrapped a data key is not among those configured. */
export class MasterKeyMissingError extends Error {
  override name = 'MasterKeyMissingError';
}

/** @throws {RangeError} no key, or one of another length than 32 bytes. */
export function createKeyRing(masterKeys: readonly Buffer[], randomness: Pick<Randomness, 'bytes'>): KeyRing {
  const [current] = masterKeys;
  if (current === undefined || masterKeys.some(({ length }) => length !== masterKeyBytes)) {
    throw new RangeError(`master keys must have ${masterKeyBytes} bytes, and there must be one`);
  }
  const keys = new Map(masterKeys.map((key) => [fingerprint(key), key]));
  const currentId = fingerprint(current);
  const keyOf = (sessionId: string, wrapped: string): Buffer => {
    const key = keys.get(contextOf(wrapped));
    if (key === undefined) {
      throw new MasterKeyMissingError(
        `session ${sessionId} needs master key ${contextOf(wrapped)}, which is not given: nothing can be opened without it`,
      );
    }
    return key;
  };
  return {
    // The context of the seal is the master key's fingerprint.
    wrap: (sessionId, dataKey) =>
      sealBytes(current, { purpose: 'key', owner: sessionId }, currentId, dataKey, randomness),
    unwrap: (sessionId, wrapped) => openBytes(keyOf(sessionId, wrapped), { purpose: 'key', owner: sessionId }, wrapped),
    isCurrent: (wrapped) => contextOf(wrapped) === currentId,
  };
}

/** Identifies a master key without revealing it. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update('master key').update(key).digest('hex').slice(0, 16);
}
