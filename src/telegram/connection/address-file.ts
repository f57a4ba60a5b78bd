import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { AddressStore } from './dc-addresses.ts';
import { type DcAddress, isDcAddress } from './network.ts';

/**
 * The addresses that Telegram told, in a file of the data directory. It holds no secret, and a lost one costs nothing: the
 * built-in addresses are used, and Telegram is asked again. They count only with the built-in addresses that they were
 * told with: those of another network are not used.
 */
export function addressFile(path: string, builtIn: readonly DcAddress[]): AddressStore {
  return {
    load() {
      try {
        const { builtIn: before, told } = Object(JSON.parse(readFileSync(path, 'utf8'))) as Record<string, unknown>;
        const isOurs = JSON.stringify(before) === JSON.stringify(builtIn);
        return isOurs && Array.isArray(told) ? told.filter(isDcAddress) : [];
      } catch {
        return [];
      }
    },
    save(told) {
      try {
        writeFileSync(`${path}.new`, JSON.stringify({ builtIn, told }));
        renameSync(`${path}.new`, path);
      } catch {
        // A full disk: they are told again.
      }
    },
  };
}
