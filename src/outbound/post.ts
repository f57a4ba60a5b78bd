import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { Connections } from './connections.ts';
import { postRequest } from './post-request.ts';
import type { RequestUrl } from './request-url.ts';
import type { PostResponse } from './response-head.ts';

export interface PostOptions {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** From here to the end of the answer. Where its header has come by then, it counts. */
  timeoutMs: number;
  signal?: LightAbortSignal;
}

interface PostParts {
  connections: Pick<Connections, 'ask'>;
  clock: Clock;
  /** @throws {OutboundError} */
  parse: (url: string) => RequestUrl;
}

/**
 * Posts to a URL and tells what it answered, a redirect included: none is followed. Connections are kept and used again.
 * The server may see it twice: see {@link Connections.ask}.
 * @throws {OutboundError} @throws {TypeError} a header that HTTP has no form for. @throws the signal's reason.
 */
export async function post(
  { connections, clock, parse }: PostParts,
  url: string,
  { body, headers, timeoutMs, signal }: PostOptions,
): Promise<PostResponse> {
  const target = parse(url);
  const request = postRequest(target, headers, body);
  return await connections.ask(target, request, { until: clock.now() + timeoutMs, signal });
}
