import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';

/** A connection that knows when it last received anything. */
export interface Watched {
  /** By the clock's `elapsed()`. */
  readonly lastHeardAt: number | undefined;
  /** Sends a ping; resolves with the pong. */
  ping(): Promise<void>;
}

/** Interval of pings. A busy connection is pinged too: acknowledgements travel with the ping. */
const pingEveryMs = 15_000;
/**
 * Pings are due at the multiples of this, on the clock that all sessions share. Those of many sessions then go out
 * together, and their answers arrive together: one wake of the process for all of them costs less than one for each.
 */
const beatMs = 250;
/** A connection that receives nothing for this long after a ping is dead (SE8). */
const pongTimeoutMs = 10_000;

/**
 * After a pause of the process its timers run first, before it reads what arrived meanwhile. The connection gets this
 * many turns of the event loop before it is declared dead.
 */
const graceTurns = 50;

/** The watch over an open connection. */
export interface LivenessWatch {
  /** Sends a ping now, unless one is unanswered. */
  probe(): void;
  stop(): void;
}

/** Calls `onDead` once, when an open connection does not answer a ping. Anything that arrives counts as an answer. */
export function watchLiveness(clock: Clock, watched: Watched, onDead: () => void): LivenessWatch {
  let countedFrom = clock.elapsed();
  /** When the connection had last received anything before the ping in flight; undefined if no ping is in flight. */
  let pending: { heardAt: number | undefined } | undefined;
  let timer: TimerHandle | undefined;
  let stopped = false;

  const isWaiting = (): boolean => pending !== undefined && watched.lastHeardAt === pending.heardAt;

  const arm = (): void => {
    if (timer !== undefined) clock.clearTimeout(timer);
    if (stopped) return;
    const limitMs = isWaiting() ? pongTimeoutMs : pingEveryMs;
    const dueAt = isWaiting() ? countedFrom + limitMs : Math.floor((countedFrom + limitMs) / beatMs) * beatMs;
    timer = clock.setTimeout(check, Math.min(limitMs, Math.max(0, dueAt - clock.elapsed())));
  };
  const check = (): void => {
    if (isWaiting()) declareDeadAfter(graceTurns);
    else ping();
  };
  const declareDeadAfter = (turns: number): void => {
    if (stopped) return;
    if (!isWaiting()) return arm();
    if (turns > 0) {
      setImmediate(declareDeadAfter, turns - 1);
      return;
    }
    stopped = true;
    onDead();
  };
  const ping = (): void => {
    countedFrom = clock.elapsed();
    const sent = { heardAt: watched.lastHeardAt };
    pending = sent;
    watched.ping().then(
      () => {
        if (pending === sent) pending = undefined;
        arm();
      },
      () => undefined,
    );
    arm();
  };

  arm();
  return {
    probe: () => {
      if (!stopped && !isWaiting()) ping();
    },
    stop: () => {
      stopped = true;
      if (timer !== undefined) clock.clearTimeout(timer);
    },
  };
}
