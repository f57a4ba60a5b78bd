import type { Dispatcher } from 'undici';
import type { Clock } from '../../actors/clock.ts';
import type { StopSignal } from '../stop-signal.ts';
import { asOutboundError } from './outbound-error.ts';
import { Patience } from './patience.ts';
import { parseRequestUrl } from './request-url.ts';

/** What of an answer's body is read, so that its connection can be used again; it says nothing to us. */
const maxAnswerBytes = 64 * 1024;

export interface PostOptions {
  body: string | Uint8Array;
  headers: Record<string, string>;
  /** From here to the end of the answer's header. */
  timeoutMs: number;
  signal?: StopSignal;
}

export interface PostAnswer {
  status: number;
  /** The header, as it came. */
  retryAfter: string | undefined;
}

/**
 * Posts to a URL and tells what it answered, a redirect included: none is followed. Connections are kept and used again.
 * @throws {OutboundError} @throws the signal's reason.
 */
export async function post(
  { agent, clock }: { agent: Dispatcher; clock: Clock },
  url: string,
  { body, headers, timeoutMs, signal }: PostOptions,
): Promise<PostAnswer> {
  const { origin, path, authorization } = parseRequestUrl(url);
  const patience = new Patience(clock, timeoutMs, signal);
  try {
    const answer = await agent.request({
      origin,
      path,
      method: 'POST',
      headers: {
        'user-agent': 'telegram-session-gateway',
        ...(authorization === undefined ? {} : { authorization }),
        ...headers,
      },
      body,
      signal: patience.signal,
    });
    // The answer counts however its body ends: what is lost with a bad one is its connection.
    await answer.body.dump({ limit: maxAnswerBytes }).catch(() => {});
    const { 'retry-after': retryAfter } = answer.headers;
    return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  } catch (error) {
    throw asOutboundError(error);
  } finally {
    patience.end();
  }
}
