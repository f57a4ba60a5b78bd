import type { Clock } from '../../../actors/ports/clock.ts';
import type { DialAttempt, Dialler } from './dialler.ts';
import { noAnswerReason, overtaken } from './end-reasons.ts';

/** An attempt that nothing has answered for this long is given up: TCP and one request, two ways there and back. */
const longestMs = 6_000;
/** As long as others are answered sooner: at least this long, and this many times as long as the last of them took. */
const overtakenMs = 3_000;
const patience = 3;

/**
 * Limits the wait for the first answer to an attempt. Once others to the same data centre are answered the limit is lower, so
 * that attempts that hang since an outage end soon after it.
 * @param end called once if there is no answer in time, with the reason
 * @returns a function that stops the watch
 */
export function watchFirstAnswer(
  clock: Clock,
  dialler: Pick<Dialler, 'onReached'>,
  attempt: DialAttempt,
  end: (reason: typeof noAnswerReason | typeof overtaken) => void,
): () => void {
  const openedAt = clock.elapsed();
  let reason: typeof noAnswerReason | typeof overtaken = noAnswerReason;
  const onTime = (): void => {
    forget();
    if (attempt.isPending) end(reason);
  };
  const onReached = (tookMs: number): void => {
    if (!attempt.isPending) return;
    reason = overtaken;
    forget = dialler.onReached(attempt.address.id, onReached);
    const dueAt = openedAt + Math.max(overtakenMs, patience * tookMs);
    if (timer.dueAt <= dueAt) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(onTime, Math.max(0, dueAt - clock.elapsed()));
  };
  let timer = clock.setTimeout(onTime, longestMs);
  let forget = dialler.onReached(attempt.address.id, onReached);
  return () => {
    forget();
    clock.clearTimeout(timer);
  };
}
