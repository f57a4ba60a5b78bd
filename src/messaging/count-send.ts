import { GatewayError } from '../errors/gateway-error.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { NotConnectedError, TelegramError } from '../telegram/port/errors.ts';
import { SendTimeoutError } from './send-timeout.ts';

/** Counts a send by its type, outcome and duration. */
export async function countSend<T>(metrics: Metrics, type: string, send: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const count = (outcome: string): void => metrics.sent(type, outcome, (performance.now() - startedAt) / 1000);
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
