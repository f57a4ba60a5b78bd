import { createHmac } from 'node:crypto';

/**
 * The headers of a delivery: the token as the interface has it, and a signature as Standard Webhooks define it, version
 * 1 (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md).
 * @param atMs time of the attempt, milliseconds since 1970
 */
export function signDelivery(token: string, id: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac('sha256', signingKey(token)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'x-token': token,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** A token in the standard's form (`whsec_…`) contains the key in base64; the bytes of any other token are the key. */
function signingKey(token: string): Buffer {
  const base64 = /^whsec_((?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)$/.exec(token)?.[1];
  return base64 === undefined ? Buffer.from(token) : Buffer.from(base64, 'base64');
}
