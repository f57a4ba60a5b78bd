import { SingleWriter, type SingleWriterDeps } from '../../../actors/kit/single-writer.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { type LogOutRecord, type VaultFact, type VaultRecord, vaultCodec } from './vault-codec.ts';

export interface VaultWriterDeps extends SingleWriterDeps {
  random: Randomness;
}

type Content = { type: VaultFact; data: VaultRecord } | { type: 'LogOutKept'; data: LogOutRecord };

/**
 * Appends an event behind the one with this revision; -1: as the first.
 * @returns its revision
 * @throws {WrongExpectedRevisionError} @throws {StoreUnavailableError} the outcome is in doubt
 */
export async function appendToVault(
  deps: VaultWriterDeps,
  stream: string,
  revision: number,
  { type, data }: Content,
): Promise<number> {
  const event = { id: deps.random.uuid(), type, data: { ...data }, metadata: vaultCodec.stamp({}) };
  const writer = new SingleWriter<typeof event>(deps, { stream, revision });
  return (await writer.write([event])).revision;
}
