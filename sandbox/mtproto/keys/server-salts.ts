import { sha256 } from '../../crypto/hash.ts';
import { randomLong } from '../../crypto/numbers.ts';
import type { ServerAuthKey } from '../server-auth-key.ts';

/**
 * https://core.telegram.org/mtproto/description#server-salt: a salt is replaced after 30 minutes, and accepted for
 * 30 minutes more.
 */
const SALT_PERIOD_MS = 1_800_000;
/** https://core.telegram.org/mtproto/service_messages#request-for-several-future-salts */
const MAX_FUTURE_SALTS = 64;

type SaltedKey = Pick<ServerAuthKey, 'secret' | 'salt' | 'saltFrom'>;

/** The salt that the server names now. `now`: milliseconds of the world's clock. */
export function currentSalt(key: SaltedKey, now: number): bigint {
  return saltNumber(key, periodAt(key, now));
}

/** Whether a client may still use this salt: the current one, or the one before it. */
export function acceptsSalt(key: SaltedKey, salt: bigint, now: number): boolean {
  const period = periodAt(key, now);
  return salt === saltNumber(key, period) || (period > 0 && salt === saltNumber(key, period - 1));
}

/** The current salt and those after it. The times are milliseconds of the world's clock. */
export function futureSalts(
  key: SaltedKey,
  count: number,
  now: number,
): { since: number; until: number; salt: bigint }[] {
  const first = periodAt(key, now);
  return Array.from({ length: Math.max(1, Math.min(count, MAX_FUTURE_SALTS)) }, (_, index) => {
    const since = key.saltFrom + (first + index) * SALT_PERIOD_MS;
    return { since, until: since + 2 * SALT_PERIOD_MS, salt: saltNumber(key, first + index) };
  });
}

/** Begins a new series: no salt that the client knows is accepted any more. */
export function replaceSalts(key: ServerAuthKey, now: number): void {
  key.salt = randomLong();
  key.saltFrom = now;
}

function periodAt({ saltFrom }: SaltedKey, now: number): number {
  return Math.max(0, Math.floor((now - saltFrom) / SALT_PERIOD_MS));
}

/** The first one is the handshake's. Those after it follow from the key: a restarted server knows them too. */
function saltNumber({ secret, salt }: SaltedKey, period: number): bigint {
  if (period === 0) return salt;
  return sha256(secret, Buffer.from(`${salt} ${period}`)).readBigInt64LE();
}
