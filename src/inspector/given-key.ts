import type { IncomingHttpHeaders } from 'node:http';

/** The only WebSocket protocol: a browser must name it in addition to its key. */
export const protocol = 'inspector';
const keyPrefix = 'key.';

/**
 * Reads the API key of a WebSocket request: a header, for programs; `Sec-WebSocket-Protocol: inspector, key.…` with the
 * key as base64url, for browsers, which can set no other header; or the password of `Authorization: Basic`, which
 * programs make of `ws://:key@host/inspector`. Never from the path or the query, which proxies log.
 */
export function givenKey(headers: IncomingHttpHeaders): string | undefined {
  const { 'x-api-key': key, 'sec-websocket-protocol': protocols, authorization } = headers;
  if (typeof key === 'string') return key;
  const named = protocols
    ?.split(',')
    .map((name) => name.trim())
    .find((name) => name.startsWith(keyPrefix));
  if (named !== undefined) return Buffer.from(named.slice(keyPrefix.length), 'base64url').toString();
  const credentials = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (credentials === undefined) return undefined;
  return Buffer.from(credentials, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}
