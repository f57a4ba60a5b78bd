import type { Clock } from '../../actors/clock.ts';
import type { StopSignal } from '../stop-signal.ts';
import type { Connections } from './connections.ts';
import { Exchange, type PostAnswer } from './exchange.ts';
import { asOutboundError } from './outbound-error.ts';
import type { RequestUrl } from './request-url.ts';

export interface PostOptions {
  body: string | Uint8Array;
  headers: Record<string, string>;
  /** From here to the end of the answer's header. */
  timeoutMs: number;
  signal?: StopSignal;
}

interface PostParts {
  connections: Pick<Connections, 'dispatch'>;
  clock: Clock;
  /** @throws {OutboundError} */
  parse: (url: string) => RequestUrl;
}

/**
 * Posts to a URL and tells what it answered, a redirect included: none is followed. Connections are kept and used again.
 * @throws {OutboundError} @throws the signal's reason.
 */
export async function post(
  { connections, clock, parse }: PostParts,
  url: string,
  { body, headers, timeoutMs, signal }: PostOptions,
): Promise<PostAnswer> {
  const { origin, path, authorization } = parse(url);
  signal?.throwIfAborted();
  const own = { 'user-agent': 'telegram-session-gateway', ...(authorization === undefined ? {} : { authorization }) };
  const exchange = new Exchange(clock, timeoutMs, signal);
  const request = { path, method: 'POST', headers: Object.assign(own, headers), body } as const;
  const giveBack = connections.dispatch(origin, request, exchange);
  try {
    return await exchange.answer;
  } catch (error) {
    throw asOutboundError(error);
  } finally {
    exchange.end();
    giveBack();
  }
}
