import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { GatewayError } from './gateway-error.ts';

/** The same limit as that of a send (MS6). */
const maxAnswerMs = 240_000;

/**
 * Limits a response that needs Telegram's answers.
 * @param until end it too
 * @throws {GatewayError} 500 when the time is over
 */
export function withAnswerTimeout<T>(
  clock: Clock,
  work: (signal: LightAbortSignal) => Promise<T>,
  ...until: readonly (LightAbortSignal | undefined)[]
): Promise<T> {
  return withTimeout(
    clock,
    maxAnswerMs,
    () => new GatewayError(500, 'telegram did not answer in time'),
    work,
    ...until,
  );
}
