import type { ServerAuthKey } from '../server-auth-key.ts';

/** A connection as far as the addresses of keys are concerned. */
interface Use {
  readonly address: string;
  readonly isOpen: boolean;
}

/** A key that is used from two addresses within this time is in two hands. Telegram does not publish its own figure. */
const SAME_TIME_MS = 1_000;

/** From which addresses the auth keys are used: https://core.telegram.org/api/errors#406-not-acceptable */
export class KeyUses {
  /** By key and address: the last connection and when it was used, in milliseconds. */
  private readonly uses = new WeakMap<ServerAuthKey, Map<string, { by: Use; at: number }>>();

  /** Notes a message. @returns whether an open connection from another address used the key within the last second */
  isDuplicate(key: ServerAuthKey, by: Use, now: number): boolean {
    const uses = this.uses.get(key) ?? new Map<string, { by: Use; at: number }>();
    this.uses.set(key, uses);
    for (const [address, other] of uses) {
      if (address === by.address) continue;
      if (!other.by.isOpen || other.at + SAME_TIME_MS <= now) uses.delete(address);
    }
    uses.set(by.address, { by, at: now });
    return uses.size > 1;
  }
}
