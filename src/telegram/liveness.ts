import type { Clock, TimerHandle } from '../../actors/clock.ts';

/** What is watched: a connection that tells when it last heard anything. */
export interface Watched {
  readonly lastHeardAt: number | undefined;
  /** Makes the other side say something. */
  ping(): Promise<void>;
}

/** Nothing heard for so long: ask. */
const silenceMs = 15_000;
/** Asked, and nothing heard for so long: dead (SE8). */
const patienceMs = 30_000;

/**
 * Calls `onDead` once, when a connection that looks open does not answer. Whatever arrives is a sign of life, not just
 * the answer. @returns what ends the watch
 */
export function watchLiveness(clock: Clock, watched: Watched, onDead: () => void): () => void {
  const start = clock.now();
  let askedAt: number | undefined;
  let timer: TimerHandle | undefined;
  let stopped = false;

  const heardAt = (): number => watched.lastHeardAt ?? start;
  const isWaiting = (): boolean => askedAt !== undefined && heardAt() < askedAt;

  const arm = (): void => {
    if (timer !== undefined) clock.clearTimeout(timer);
    if (stopped) return;
    const dueAt = isWaiting() ? (askedAt ?? start) + patienceMs : heardAt() + silenceMs;
    timer = clock.setTimeout(look, Math.max(0, dueAt - clock.now()));
  };
  const look = (): void => {
    // A process that was stopped for a while wakes up with its timers first: what has arrived is read before it judges.
    if (isWaiting()) setImmediate(judge);
    else if (clock.now() - heardAt() >= silenceMs) ask();
    else arm();
  };
  const judge = (): void => {
    if (stopped) return;
    if (!isWaiting()) return arm();
    stopped = true;
    onDead();
  };
  const ask = (): void => {
    askedAt = clock.now();
    watched.ping().then(arm, () => undefined);
    arm();
  };

  arm();
  return () => {
    stopped = true;
    if (timer !== undefined) clock.clearTimeout(timer);
  };
}
