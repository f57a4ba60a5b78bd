import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';

/** What is watched: a connection that tells when it last heard anything. */
export interface Watched {
  readonly lastHeardAt: number | undefined;
  /** Makes the other side say something. */
  ping(): Promise<void>;
}

/** How often to ask. Also when much is heard: what has been received is acknowledged together with the question. */
const askEveryMs = 15_000;
/** Asked, and nothing heard for so long: dead (SE8). */
const patienceMs = 30_000;

/**
 * A process that was stopped for a while wakes up with its timers first; what has arrived meanwhile needs some turns of
 * the event loop until it is read and understood. So many it gets before its connection is called dead.
 */
const lastTurns = 50;

/**
 * Calls `onDead` once, when a connection that looks open does not answer. Whatever arrives is a sign of life, not just
 * the answer. @returns what ends the watch
 */
export function watchLiveness(clock: Clock, watched: Watched, onDead: () => void): () => void {
  let countedFrom = clock.now();
  /** What had been heard when it was asked; undefined while no question is open. */
  let question: { heardAt: number | undefined } | undefined;
  let timer: TimerHandle | undefined;
  let stopped = false;

  // Not whether it is later than the question: the clock may have been set back.
  const isWaiting = (): boolean => question !== undefined && watched.lastHeardAt === question.heardAt;

  const arm = (): void => {
    if (timer !== undefined) clock.clearTimeout(timer);
    if (stopped) return;
    const limitMs = isWaiting() ? patienceMs : askEveryMs;
    timer = clock.setTimeout(look, Math.min(limitMs, Math.max(0, countedFrom + limitMs - clock.now())));
  };
  const look = (): void => {
    if (isWaiting()) judgeAfter(lastTurns);
    else ask();
  };
  const judgeAfter = (turns: number): void => {
    if (stopped) return;
    if (!isWaiting()) return arm();
    if (turns > 0) {
      setImmediate(judgeAfter, turns - 1);
      return;
    }
    stopped = true;
    onDead();
  };
  const ask = (): void => {
    countedFrom = clock.now();
    const asked = { heardAt: watched.lastHeardAt };
    question = asked;
    watched.ping().then(
      () => {
        if (question === asked) question = undefined;
        arm();
      },
      () => undefined,
    );
    arm();
  };

  arm();
  return () => {
    stopped = true;
    if (timer !== undefined) clock.clearTimeout(timer);
  };
}
