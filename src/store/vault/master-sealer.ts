import type { Randomness } from '../../../actors/ports/clock.ts';
import type { MasterSealer } from '../../../actors/ports/sealer.ts';
import { createKeyRing } from './key-ring.ts';
import { dataKeyBytes, openText, sealText } from './sealing.ts';

/** @param masterKeys as `VaultOptions.masterKeys` */
export function createMasterSealer(masterKeys: readonly Buffer[], randomness: Pick<Randomness, 'bytes'>): MasterSealer {
  const ring = createKeyRing(masterKeys, randomness);
  return {
    seal(owner, context, text) {
      const key = Buffer.from(randomness.bytes(dataKeyBytes));
      return { key: ring.wrap(owner, key), text: sealText(key, owner, context, text, randomness) };
    },
    open: (owner, { key, text }) => openText(ring.unwrap(owner, key), owner, text),
  };
}
