import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';

/** Nothing came for as long as one is willing to wait. */
export class ServerSilentError extends Error {
  override name = 'NoAnswerError';
}

/**
 * What the work comes to, unless it takes longer. The work itself goes on: it cannot be called back.
 * @throws {ServerSilentError} it took longer.
 */
export function withDeadline<T>(clock: Clock, deadlineMs: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.setTimeout(
      () => reject(new ServerSilentError(`no answer within ${deadlineMs} ms`)),
      deadlineMs,
    );
    work.then(
      (value) => {
        clock.clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clock.clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Resolves after a time, or at once when the signal is given. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const handles: { timer?: TimerHandle } = {};
    const end = (): void => {
      if (handles.timer !== undefined) clock.clearTimeout(handles.timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    handles.timer = clock.setTimeout(end, delayMs);
    signal?.addEventListener('abort', end);
  });
}

/** Wakes one who waits. */
interface Bell {
  ring: () => void;
  /** Resolves at the next ring; at once where it has rung since the last wait. */
  rung: () => Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    rung: async () => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      hasRung = false;
      wake = undefined;
    },
  };
}

interface Patience {
  wait(): void;
  heard(): void;
  /** Nothing is expected any more. */
  end(): void;
}

/** Runs out where a wait takes too long. One timer for all of them: a wait may be for a single event. */
export function createPatience(clock: Clock, longestMs: number, runOut: (error: ServerSilentError) => void): Patience {
  let waitingSince: number | undefined;
  let timer: TimerHandle | undefined;
  const arm = (afterMs: number): void => {
    timer = clock.setTimeout(() => {
      const waitedMs = waitingSince === undefined ? 0 : clock.now() - waitingSince;
      if (waitedMs >= longestMs) runOut(new ServerSilentError(`no answer within ${longestMs} ms`));
      else arm(longestMs - waitedMs);
    }, afterMs);
  };
  arm(longestMs);
  return {
    wait: () => {
      waitingSince = clock.now();
    },
    heard: () => {
      waitingSince = undefined;
    },
    end: () => {
      if (timer !== undefined) clock.clearTimeout(timer);
    },
  };
}
