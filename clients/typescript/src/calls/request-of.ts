import type { GatewayError } from '../errors/errors.ts';
import type { KeyedCallOptions } from './call-options.ts';
import type { GatewayRequest, Transport } from './transport.ts';

/** A request as a caller gives it: path, query and body in one object. */
export type Given = Record<string, unknown>;
export type Options = KeyedCallOptions | undefined;

/** Who calls: with the headers of a session, or with the key of the gateway alone. */
export interface Caller {
  transport: Transport;
  headers: Readonly<Record<string, string>>;
  /** Whether a call that failed so will fail again. */
  isInVain?: (error: GatewayError) => Promise<boolean>;
}

/** A route of the API document; `generator/operations.ts` says what the marks mean. */
export interface Route {
  method: string;
  path: string;
  mark: string;
}

/** The request of a call. A key for its retries is made here: each attempt has the same. */
export function requestOf(
  caller: Caller,
  { method, path, mark }: Route,
  given: unknown,
  options: unknown,
): GatewayRequest {
  const { signal, idempotencyKey } = (options ?? {}) as NonNullable<Options>;
  const rest = { ...(given as Given | undefined) };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const body = hasBody && mark !== '-' ? JSON.stringify(rest) : undefined;
  const isKeyed = mark === 'key';
  return {
    method,
    path: hasBody ? filled : filled + queryOf(rest),
    headers: {
      ...caller.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isKeyed ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
    },
    body,
    // What a POST without a key does, it would do twice.
    isRepeatable: method !== 'POST' || isKeyed,
    signal,
    isInVain: caller.isInVain,
  };
}

/** Lists are separated by commas; what is undefined is left out. */
export function queryOf(given: Given): string {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
