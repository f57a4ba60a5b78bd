import { WebhookError } from '../errors/errors.ts';
import type { GatewayEvent } from '../generated/types.ts';

/** Standard Webhooks: what is older, or further ahead, may be a recording. */
const toleranceMs = 5 * 60_000;

export interface SignedRequest {
  /** The bytes of the body, as they came. */
  body: Uint8Array<ArrayBuffer>;
  /** The value of a header, by its name in lower case. */
  header: (name: string) => string | null | undefined;
  /** The token of the webhook; several while it is changed. */
  tokens: readonly string[];
}

/** The event of a request of the gateway. @throws {WebhookError} if the signature is not of one of the tokens, or is too old */
export async function verifyWebhook({ body, header, tokens }: SignedRequest): Promise<GatewayEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => header(name) ?? '',
  ) as [string, string, string];
  if (Math.abs(Date.now() - Number(timestamp) * 1000) > toleranceMs) throw refused('its time is not now');
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const token of tokens) {
    const key = await crypto.subtle.importKey('raw', keyOf(token), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures.split(' ')) {
      const [version, encoded = ''] = signature.split(',');
      if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(encoded), signed))) {
        return JSON.parse(new TextDecoder().decode(body)) as GatewayEvent;
      }
    }
  }
  throw refused('its signature is not of this token');
}

const refused = (why: string): WebhookError =>
  new WebhookError({ code: 'webhook_not_verified', status: 401, reason: `the request is refused: ${why}` });

/** The bytes of the token, or those of the base64 in `whsec_…`. */
function keyOf(token: string): Uint8Array<ArrayBuffer> {
  const prefix = 'whsec_';
  if (!token.startsWith(prefix)) return new TextEncoder().encode(token);
  return bytesOf(token.slice(prefix.length));
}

/** Base64; of what is none no byte. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
