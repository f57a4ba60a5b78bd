import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Chatwoot signs with the time of sending: what is older was recorded by someone. */
const toleranceMs = 5 * 60_000;

/**
 * Whether a webhook comes from Chatwoot: its signature is `sha256=` and the HMAC of `TIMESTAMP.BODY` in hex.
 * @param timestamp seconds, `X-Chatwoot-Timestamp`
 * @param signature `X-Chatwoot-Signature`
 */
export function isSigned(
  body: Buffer,
  { timestamp, signature }: { timestamp: string; signature: string },
  { secret, nowMs }: { secret: string; nowMs: number },
): boolean {
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return isSame(`sha256=${expected}`, signature);
}

/** Compares in constant time. */
export function isSame(expected: string, given: string): boolean {
  const [one, other] = [expected, given].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
