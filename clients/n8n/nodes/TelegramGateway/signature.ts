import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of a delivery: Standard Webhooks (https://www.standardwebhooks.com), version 1. */
export interface SignedHeaders {
  'webhook-id'?: string | undefined;
  'webhook-timestamp'?: string | undefined;
  'webhook-signature'?: string | undefined;
}

/** How far the clocks of the gateway and of n8n may be apart; older requests may be repeated ones. */
const toleranceSeconds = 300;

/**
 * Whether a delivery was signed with the token of the webhook.
 * @param body as it arrived
 * @param nowMs milliseconds since 1970
 */
export function isSigned(headers: SignedHeaders, body: Buffer, token: string, nowMs: number): boolean {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', token).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
