import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { type AbortableWork, withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/** The interface's own limit (MS6). */
const sendTimeoutSeconds = 240;

/** MS6 */
export class SendTimeoutError extends GatewayError {
  override name = 'SendTimeoutError';

  constructor() {
    super(500, `send timeout after ${sendTimeoutSeconds}s`);
  }
}

const late = (): GatewayError => new SendTimeoutError();

/**
 * Limits a send, from resolving its recipient to Telegram's answer, fetching and uploading included, without the wait for
 * its turn (OS7).
 * @param until end it too
 */
export function withSendTimeout<T>(
  clock: Clock,
  send: AbortableWork<T>,
  ...until: readonly (LightAbortSignal | undefined)[]
): Promise<T> {
  return withTimeout(clock, sendTimeoutSeconds * 1000, late, send, ...until);
}
