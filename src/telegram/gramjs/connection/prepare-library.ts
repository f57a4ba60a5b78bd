import type { Randomness } from '../../../../actors/ports/clock.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
import { applyHardening } from '../library/hardening.ts';
import { trustServerKey } from '../library/server-key.ts';
import { applySpeedUps } from '../library/speed-ups.ts';

/** Cures and hastens GramJS, for the whole process, and has it trust the network's own key. It may be repeated. */
export function prepareLibrary({ network, random }: { network: TelegramNetwork; random: Randomness }): void {
  applySpeedUps(random);
  applyHardening();
  if (network.publicKey !== undefined) trustServerKey(network.publicKey);
}
