import type { Randomness } from '../../actors/ports/clock.ts';

/**
 * Telegram's `random_id`: a message that is sent twice under one number is one message. For a send without a key it is
 * chance; a repeated request has the same.
 */
export const newRandomId = (random: Pick<Randomness, 'bytes'>): bigint => random.bytes(8).readBigInt64BE();

/**
 * For a send under an `Idempotency-Key`: only the session's key can derive it (MS7.3).
 * @param key its fingerprint
 * @param at of the send's begin, so that a forgotten key that is used again gets another number
 */
export async function keyedRandomId(
  fingerprint: (sessionId: string, text: string) => Promise<Buffer>,
  { sessionId, key, at }: { sessionId: string; key: string; at: number },
): Promise<bigint> {
  return (await fingerprint(sessionId, `random_id ${key} ${at}`)).readBigInt64BE();
}
