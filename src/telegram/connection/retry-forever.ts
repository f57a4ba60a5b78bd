import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { errorNameOf, type TelegramLog } from '../telegram-log.ts';
import { retryDelayMs } from './backoff.ts';
import { waitAskedForMs } from './retry-policy.ts';
import { wait } from './waiting.ts';

/** Does a step of a login again and again until it succeeds, after the wait that Telegram asks for. @throws the signal's reason */
export async function retryForever<T>(
  { clock, random, log }: { clock: Clock; random: Randomness; log: TelegramLog },
  signal: AbortSignal,
  step: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    let askedMs = 0;
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      askedMs = waitAskedForMs(error);
      log('warn', 'a step of a login failed', { error: errorNameOf(error) });
    }
    await wait(clock, Math.max(askedMs, retryDelayMs(failures, random.fraction())), signal);
  }
}
