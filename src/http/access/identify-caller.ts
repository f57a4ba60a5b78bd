import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeyRegistry } from '../../keys/key-registry.ts';
import type { KeyScope } from '../../keys/scopes.ts';
import { idOfSecret } from '../../keys/secret-text.ts';
import { type Caller, holderOfKey, ownerByKey, ownerByPlace } from './caller.ts';

export interface IdentifyCallerOptions {
  apiKey: string | undefined;
  /** It reads `/metrics` and nothing else (AU4.3). */
  metricsToken: string | undefined;
  keys: Pick<KeyRegistry, 'find' | 'isReady'>;
}

/**
 * Who makes a request of a scope, by the key that it carries. Undefined if that is wrong, or missing and needed.
 * @throws {GatewayError} 503: the keys are not known yet
 */
export type IdentifyCaller = (request: FastifyRequest, scope: KeyScope) => Caller | undefined;

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

const metricsReader: Caller = { name: 'owner', powers: { scopes: ['metrics'] }, keyId: undefined };

export function createIdentification({ apiKey, metricsToken, keys }: IdentifyCallerOptions): IdentifyCaller {
  const [owners, readers] = [apiKey, metricsToken].map((text) => (text === undefined ? undefined : sha256(text)));
  return (request, scope) => {
    const text = apiKeyOf(request);
    const given = sha256(text);
    if (owners !== undefined && timingSafeEqual(given, owners)) return ownerByKey;
    const isRead = scope === 'metrics' && readers !== undefined;
    if (isRead && timingSafeEqual(given, readers)) return metricsReader;
    // A key that was revoked must not do more than it did.
    if (owners === undefined && !isRead && idOfSecret('key', text) === undefined) return ownerByPlace;
    if (!keys.isReady) throw new GatewayError(503, 'service is starting', 5);
    const key = keys.find(text);
    return key && holderOfKey(key);
  };
}

/** The key as it was sent: `x-api-key: KEY`, or `Authorization: Bearer KEY` (RFC 6750); empty without one. */
export function apiKeyOf({ headers: { 'x-api-key': key, authorization = '' } }: FastifyRequest): string {
  if (typeof key === 'string') return key;
  return /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
}
