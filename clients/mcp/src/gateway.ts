/** The gateway as its API document has it (docs/openapi.json), reached with a key for one session. */

export interface GatewayOptions {
  /** Of the gateway: `http://127.0.0.1:3000`, with a path if a proxy adds one. */
  url: string;
  /** Of `POST /keys`, with the scope `accounts`. */
  key: string;
  /** The `id` of the session. */
  session: string;
  /** How long an answer may take, milliseconds. Default: less than the 60 s after which clients of MCP give up. */
  answerMs?: number;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  /** What is undefined is left out. */
  query?: Record<string, string | number | undefined>;
  body?: object;
  idempotencyKey?: string;
  /** Ends the request when the caller of the tool gives up. */
  signal?: AbortSignal;
}

export interface Gateway {
  /** @throws {GatewayRefusal} the gateway answered with an error @throws {GatewayUnreachable} it did not answer */
  request<T>(call: Call): Promise<T>;
}

interface Refusal {
  status: number;
  message: string;
  /** The stable name of the kind of error (docs/errors.md); empty if an older gateway or a proxy answered. */
  code: string;
  /** Seconds after which the same request can succeed; undefined if waiting does not help. */
  retryAfter: number | undefined;
}

/** An error of the gateway, as it answered. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | undefined;

  constructor({ status, message, code, retryAfter }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** No answer: whether the request was carried out is not known. */
export class GatewayUnreachable extends Error {
  override readonly name = 'GatewayUnreachable';
}

const defaultAnswerMs = 45_000;
/** An error that is no JSON comes from a proxy; its first characters say enough. */
const maxForeignError = 200;

export function openGateway({ url, key, session, answerMs = defaultAnswerMs }: GatewayOptions): Gateway {
  const base = url.replace(/\/+$/, '');
  return {
    async request<T>({ method, path, query = {}, body, idempotencyKey, signal }: Call): Promise<T> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
      const timeout = AbortSignal.timeout(answerMs);
      let response: Response;
      let text: string;
      try {
        response = await fetch(`${base}${path}?${search.toString()}`, {
          method,
          headers: {
            id: session,
            'x-api-key': key,
            ...(body && { 'content-type': 'application/json' }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          },
          ...(body && { body: JSON.stringify(body) }),
          redirect: 'error',
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        });
        text = await response.text();
      } catch (cause) {
        // The cause may name an address with a password.
        throw new GatewayUnreachable('the gateway does not answer', { cause });
      }
      const parsed = parse(text);
      if (response.ok && parsed !== undefined) return parsed as T;
      throw refusalOf(response, parsed, text);
    },
  };
}

function refusalOf({ status, headers }: Response, body: unknown, text: string): GatewayRefusal {
  const told = (body as { message?: unknown } | undefined)?.message;
  const message = typeof told === 'string' ? told : text.slice(0, maxForeignError);
  const seconds = headers.get('retry-after') ?? '';
  return new GatewayRefusal({
    status,
    message,
    code: headers.get('x-error-code') ?? '',
    retryAfter: /^\d+$/.test(seconds) ? Number(seconds) : undefined,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
