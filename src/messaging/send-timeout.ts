import type { StopSignal } from '../../actors/kit/light-abort.ts';
import { withDeadline } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { RequestError } from '../errors/gateway-error.ts';

/** The interface's own limit (MS6). */
const sendTimeoutSeconds = 240;

/** MS6 */
export class SendTimeoutError extends RequestError {
  override name = 'SendTimeoutError';

  constructor() {
    super(500, `send timeout after ${sendTimeoutSeconds}s`);
  }
}

const late = (): RequestError => new SendTimeoutError();

/** A send, from looking for its receiver to Telegram's answer; fetching and uploading end with it. @param until ends it too */
export function withinSendTime<T>(
  clock: Clock,
  until: StopSignal | undefined,
  send: (signal: StopSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(clock, sendTimeoutSeconds * 1000, late, send, until);
}
