import { ConnectionError, errorOfResponse, GatewayError } from '../errors/errors.ts';
import { delayBeforeRetry, wait } from './retry.ts';

/** Longer than the gateway lets the longest send take, which is 240 s. */
const defaultTimeoutMs = 250_000;
const defaultRetryForMs = 60_000;

export interface TransportOptions {
  /** Where the gateway is: `https://gateway.example`. Default: `http://127.0.0.1:3000`. */
  baseUrl?: string;
  /** The API key of the gateway, or a key that it issued. Needed if the gateway has one. Not for browsers. */
  apiKey?: string;
  /**
   * For how long a call is made again while the gateway is away or asks to wait, in milliseconds. Default: 60,000. 0: never.
   * What could be done twice is not repeated; sends have an idempotency key and are.
   */
  retryForMs?: number;
  /** When an attempt is given up, in milliseconds. Default: 250,000, since the gateway lets a send take up to 240 s. */
  timeoutMs?: number;
  /** Instead of the global `fetch`: for proxies and for tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What `fetch` takes as a body. */
export type RequestBody = NonNullable<RequestInit['body']>;

/** A request, ready to be sent. */
export interface GatewayRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: RequestBody | undefined;
  /** Whether it may be sent twice. */
  isRepeatable: boolean;
  signal?: AbortSignal | undefined;
  /** Asked before a retry: whether waiting is in vain. */
  isInVain?: ((error: GatewayError) => Promise<boolean>) | undefined;
}

/** Sends requests, again where that is right, and makes errors of what fails. */
export class Transport {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.baseUrl = (options.baseUrl ?? 'http://127.0.0.1:3000').replace(/\/+$/, '');
    this.headers = options.apiKey ? { 'x-api-key': options.apiKey } : {};
  }

  /** The JSON of the response. @throws {GatewayError} of the last attempt */
  json(request: GatewayRequest): Promise<unknown> {
    return this.#withRetries(request, () =>
      this.attempt(request, async (response) => JSON.parse(await response.text())),
    );
  }

  /** One attempt that stays open: its body is read by the caller. @throws {GatewayError} */
  async open(request: GatewayRequest): Promise<Response> {
    return this.#withRetries(request, () => this.attempt(request, (response) => Promise.resolve(response), Infinity));
  }

  /** @throws {GatewayError}, or the reason of the request's signal */
  async attempt<Result>(
    { method, path, headers, body, signal }: GatewayRequest,
    read: (response: Response) => Promise<Result>,
    timeoutMs = this.#options.timeoutMs ?? defaultTimeoutMs,
  ): Promise<Result> {
    const request = this.#options.fetch ?? fetch;
    const ending = new AbortController();
    const end = (): void => ending.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    const timer =
      timeoutMs === Infinity
        ? undefined
        : setTimeout(() => ending.abort(new Error(`no response in ${timeoutMs} ms`)), timeoutMs);
    const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream;
    try {
      const response = await request(this.baseUrl + path, {
        method,
        headers: { ...this.headers, ...headers },
        signal: ending.signal,
        ...(body === undefined ? {} : { body }),
        ...(isStream ? { duplex: 'half' } : {}),
      });
      if (!response.ok) throw await errorOfResponse(response);
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GatewayError) throw error;
      const reason = `no response from ${this.baseUrl}: ${textOf(error)}`;
      throw new ConnectionError({ code: 'connection_failed', status: 0, reason, cause: error });
    } finally {
      clearTimeout(timer);
      // A response that stays open is ended by its signal.
      if (timeoutMs !== Infinity) signal?.removeEventListener('abort', end);
    }
  }

  async #withRetries<Result>(request: GatewayRequest, attempt: () => Promise<Result>): Promise<Result> {
    const { isRepeatable, signal, isInVain } = request;
    const latest = performance.now() + (this.#options.retryForMs ?? defaultRetryForMs);
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        const delayMs = delayBeforeRetry(error, failures, isRepeatable);
        const isOver = delayMs === undefined || performance.now() + delayMs > latest;
        if (isOver || (await isInVain?.(error as GatewayError))) throw withKey(error, request);
        await wait(delayMs, signal);
      }
    }
  }
}

/** Says under which key the call can be made again. */
function withKey(error: unknown, { headers }: GatewayRequest): unknown {
  if (error instanceof GatewayError) error.idempotencyKey = headers['idempotency-key'];
  return error;
}

/** `fetch` hides what happened in the cause. */
function textOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ');
}
