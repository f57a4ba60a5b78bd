import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../gateway/gateway.ts';

export interface Webhook {
  url: string;
  token: string;
}

/** What a client knows of a session from the answers it has had: what must be true, and what may be. */
export interface Entry {
  id: string;
  headers: { id: string; 'session-id': string };
  /** The account that scans it. */
  account: string;
  /** The last one that was acknowledged, and those sent since then that nobody answered. */
  webhooks: Webhook[];
  deleted: 'no' | 'maybe' | 'yes';
  /** `in`: seen connected, and nothing was done against it; `out`: reset, and not scanned since. */
  login: 'in' | 'out' | 'unknown';
  /** Whether a phone has scanned its QR since the last thing that ends a login. */
  isScanned: boolean;
  /** The right password was given since the last scan, and nobody answered: Telegram may have taken it. */
  mayBeAccepted: boolean;
  /** Whether it has been seen connected, ever. */
  hadLogin: boolean;
}

/** A text that a client has sent once. */
interface SentText {
  account: string;
  text: string;
  acknowledged: boolean;
}

export interface Ledger {
  entries: Entry[];
  texts: SentText[];
  /** How many commands were answered, and how many died with the gateway. */
  answered: number;
  unanswered: number;
  /** How often a text with a key was sent again. */
  repeated: number;
}

/**
 * Holds an answer to `GET /session`, given by a gateway that has been killed and started again, against what was
 * acknowledged; says what is wrong. Whatever was in doubt is decided by it.
 */
export function check(entry: Entry, { status, body }: Answer): string | undefined {
  const found = describe(status, body);
  if (entry.deleted === 'yes') return status === 404 ? undefined : `is there again after its deletion: ${found}`;
  if (status === 404) {
    if (entry.deleted === 'no') return 'is gone, and nobody has deleted it';
    entry.deleted = 'yes';
    return undefined;
  }
  if (status !== 200) return `cannot be read: ${found}`;
  entry.deleted = 'no';
  const webhook = body['webhook'] as Webhook;
  if (!entry.webhooks.some((possible) => isDeepStrictEqual(possible, webhook))) {
    return `has the webhook ${JSON.stringify(webhook)}, not one of ${JSON.stringify(entry.webhooks)}`;
  }
  entry.webhooks = [webhook];
  const { isConnected, isPasswordRequired, qrcode, generatedId } = body;
  if ([isConnected, isPasswordRequired, qrcode !== ''].filter(Boolean).length > 1)
    return `contradicts itself: ${found}`;
  if (entry.login === 'in' && (isPasswordRequired || qrcode !== '')) return `has lost its login: ${found}`;
  if (entry.login === 'out' && (isConnected || isPasswordRequired)) return `is logged in in spite of a reset: ${found}`;
  if (entry.hadLogin && generatedId !== entry.account) return `has forgotten its account: ${found}`;
  return undefined;
}

function describe(status: number, body: Record<string, unknown>): string {
  return `${status} ${JSON.stringify({ ...body, qrcode: body['qrcode'] ? 'a QR' : '' })}`;
}
