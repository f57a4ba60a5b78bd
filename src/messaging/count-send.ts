import { GatewayError } from '../errors/gateway-error.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { NotConnectedError, TelegramError } from '../telegram/port/errors.ts';
import type { CountUsage } from '../usage/usage-recorder.ts';
import { SendTimeoutError } from './send-timeout.ts';

export interface CountSendDeps {
  metrics: Metrics;
  usage: CountUsage;
}

/** Who sends what. */
export interface CountedSend {
  sessionId: string;
  /** ID of the key of the request; undefined: there is none. */
  keyId: string | undefined;
  type: string;
  messages: number;
}

/** Counts a send by its type, outcome and duration, and records its messages as used. */
export async function countSend<T>(
  { metrics, usage }: CountSendDeps,
  { sessionId, keyId, type, messages }: CountedSend,
  send: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const count = (outcome: string): void => {
    metrics.sent(type, outcome, (performance.now() - startedAt) / 1000);
    usage.count(sessionId, keyId, outcome === 'sent' ? 'sent' : 'notSent', messages);
  };
  try {
    const sent = await send();
    count('sent');
    return sent;
  } catch (error) {
    count(outcomeOf(error));
    throw error;
  }
}

/** Telegram's own name for its errors; `bad-request`, `bad-media`, `timeout`, … for ours. */
function outcomeOf(error: unknown): string {
  if (error instanceof TelegramError) return error.errorName;
  if (error instanceof SendTimeoutError) return 'timeout';
  if (error instanceof NotConnectedError) return 'not-connected';
  if (!(error instanceof GatewayError)) return 'fault';
  if (error.statusCode === 499) return 'client-left';
  return error.statusCode < 500 ? 'bad-request' : 'bad-media';
}
