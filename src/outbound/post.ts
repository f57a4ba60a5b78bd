import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { userAgent } from './client-options.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { PostResponse } from './post-connection.ts';
import { parseRequestUrl } from './request-url.ts';

export interface PostOptions {
  sessionId: string;
  /** Which webhook of the session, if it has several. */
  of?: string | undefined;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Until the end of the response; a response whose head has arrived in time counts. */
  timeoutMs: number;
  signal?: LightAbortSignal;
}

interface PostDeps {
  connections: Pick<ConnectionPool, 'post'>;
  clock: Clock;
}

/**
 * Posts to a URL and returns the head of the response. A redirect is a response: none is followed. Connections are kept
 * and used again. The server may get the request twice: see {@link ConnectionPool.post}.
 * @throws {OutboundError} @throws {TypeError} HTTP has no form for a header; says nothing of its value
 * @throws the signal's reason
 */
export async function post(
  { connections, clock }: PostDeps,
  url: string,
  { sessionId, of, body, headers, timeoutMs, signal }: PostOptions,
): Promise<PostResponse> {
  // Parsed each time, in 1.5 µs: what is kept would outlive the session, with the password in it.
  const { origin, path, authorization } = parseRequestUrl(url);
  const own = { 'user-agent': userAgent, ...(authorization === undefined ? {} : { authorization }) };
  const request = { whose: { sessionId, of }, path, headers: { ...own, ...headers }, body };
  return await connections.post(origin, request, { until: clock.elapsed() + timeoutMs, signal });
}
