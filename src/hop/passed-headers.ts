import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { hopHeader } from './hop-header.ts';

/** Headers that belong to one connection (RFC 9110, 7.6.1), or that the node writes itself. */
const ownToConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  hopHeader,
]);

export type PassedHeaders = Record<string, string | string[]>;

/**
 * The headers of a request that is passed on, as pairs in one list.
 * @param raw as they came: names and values in turns
 * @param isStream its body is passed on as it comes; otherwise the client writes its length
 */
export function passedHeaders(raw: readonly string[], isStream: boolean): string[] {
  const passed: string[] = [];
  let named: ReadonlySet<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    const lower = name.toLowerCase();
    if (ownToConnection.has(lower)) {
      if (lower === 'connection') named = namesIn(value);
    } else if (lower !== 'content-length' || isStream) passed.push(name, value);
  }
  return named === undefined ? passed : withoutNames(passed, named);
}

/**
 * The same as one object, for a request with a whole body.
 * @param headers as Node has joined them
 */
export function passedHeadersOf(headers: IncomingHttpHeaders, body: Buffer | undefined): PassedHeaders {
  const { connection } = headers;
  const named = connection === undefined ? undefined : namesIn(connection);
  const passed: PassedHeaders = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && !ownToConnection.has(name) && !named?.has(name)) passed[name] = value;
  }
  if (body === undefined) delete passed['content-length'];
  else passed['content-length'] = String(body.length);
  return passed;
}

/** The headers of a response that is passed on. */
export function passedResponseHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) if (!ownToConnection.has(name)) passed[name] = headers[name];
  return passed;
}

/** Nearly all requests name nothing but these. */
function namesIn(connection: string): ReadonlySet<string> | undefined {
  const names = connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'keep-alive' && name !== 'close' && name !== '');
  return names.length === 0 ? undefined : new Set(names);
}

const withoutNames = (pairs: readonly string[], names: ReadonlySet<string>): string[] =>
  pairs.filter((_, index) => !names.has(String(pairs[index - (index % 2)]).toLowerCase()));
