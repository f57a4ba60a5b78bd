import { extname } from 'node:path';
import type { Config } from '../config.ts';
import { fetchFrom, jsonOf, Problem, retryAfterMsOf } from '../problem.ts';
import type { Envelope, MediaLink } from './envelope.ts';
import { wantedEvents } from './envelope.ts';
import { parseEvents } from './parse-events.ts';

/** A send may take 240 s (the gateway's own limit). */
const sendTimeoutMs = 250_000;
const requestTimeoutMs = 60_000;
/** The gateway sends a comment every 15 s. */
const silenceMs = 60_000;
/** Name of the bridge among the readers of the session: the gateway keeps its place under it. */
const reader = 'chatwoot';

/** Codes of `docs/errors.md` after which the same request can succeed later, whether or not `Retry-After` says so. */
const passing = new Set([
  'request_timeout',
  'too_many_files',
  'telegram_wait',
  'pace_reached',
  'limit_reached',
  'too_many_requests',
  'session_not_active',
  'session_not_connected',
  'telegram_timeout',
  'telegram_unreachable',
  'internal_error',
  'store_unavailable',
  'starting',
  'shutting_down',
  'overloaded',
  'unavailable',
  // The bridge's settings are wrong: no message is at fault, so all of them wait.
  'session_not_found',
  'invalid_api_key',
]);

export interface DownloadedFile {
  bytes: Uint8Array<ArrayBuffer>;
  name: string;
  mimetype: string;
}

/** One session of the gateway, through its public interface alone. */
export class GatewayClient {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /**
   * Sends one message of the account.
   * @param key the same key and message are one message, for 24 hours
   * @returns its ID in the chat
   * @throws {Problem}
   */
  async send(message: Record<string, unknown>, key: string): Promise<string> {
    const response = await this.#request('POST', '/message', {
      timeoutMs: sendTimeoutMs,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(message),
    });
    return (await jsonOf<{ messageId: string }>('the gateway', response)).messageId;
  }

  /** The file behind a media link, or `too large`. @throws {Problem} */
  async download(link: MediaLink, maxBytes: number): Promise<DownloadedFile | 'too large'> {
    // The path is what is signed. Its beginning is the gateway's PUBLIC_URL, which the bridge may not reach.
    const { pathname } = new URL(link.url);
    const response = await this.#request('GET', pathname, { timeoutMs: sendTimeoutMs });
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
      await response.body?.cancel();
      return 'too large';
    }
    const name = link.name ?? `file${extname(pathname)}`;
    try {
      return { bytes: new Uint8Array(await response.arrayBuffer()), name, mimetype: link.mimetype };
    } catch {
      throw new Problem('a file of the gateway broke off', { isRetryable: true });
    }
  }

  /**
   * The events of the session's private chats after `seq`, as they happen; ends when the connection does.
   * @param heard called when anything arrives, the comments that keep the connection alive too
   * @throws {Problem}
   */
  async *events(after: number | undefined, signal: AbortSignal, heard: () => void): AsyncGenerator<Envelope> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMs);
    try {
      const query = new URLSearchParams({ reader, events: wantedEvents.join(','), chats: 'private' });
      const response = await this.#request('GET', `/session/messages/stream?${query.toString()}`, {
        headers: after === undefined ? {} : { 'last-event-id': String(after) },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      const restart = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
        heard();
      };
      for await (const data of parseEvents(response.body, restart)) yield JSON.parse(data) as Envelope;
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem('the stream of events broke off', { isRetryable: true });
    } finally {
      clearTimeout(timer);
    }
  }

  async #request(
    method: string,
    path: string,
    {
      timeoutMs,
      headers,
      body,
      signal,
    }: { timeoutMs?: number; headers?: Record<string, string>; body?: string; signal?: AbortSignal },
  ): Promise<Response> {
    const { gatewayUrl, sessionId, sessionSecret } = this.#config;
    const response = await fetchFrom(
      'the gateway',
      `${gatewayUrl}${path}`,
      {
        method,
        headers: { id: sessionId, 'session-id': sessionSecret, ...headers },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      },
      signal === undefined ? (timeoutMs ?? requestTimeoutMs) : 2 ** 31 - 1,
    );
    if (response.ok) return response;
    const code = response.headers.get('x-error-code') ?? '';
    const retryAfterMs = retryAfterMsOf(response.headers);
    const { message } = await jsonOf<{ message: string }>('the gateway', response).catch(() => ({
      message: `status ${response.status}`,
    }));
    const isRetryable = retryAfterMs !== undefined || passing.has(code) || (code === '' && response.status >= 500);
    throw new Problem(message, { isRetryable, status: response.status, retryAfterMs, code });
  }
}
