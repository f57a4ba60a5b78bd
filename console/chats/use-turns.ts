import { useEffect, useRef } from 'preact/hooks';

type Turn = (signal: AbortSignal) => Promise<void>;

/** The pause is at least ten times as long as the request took: a slow gateway is asked less often. */
const pauseFactor = 10;

/**
 * Runs one of the turns after each pause, in their order, while the page is visible. The first one runs after a pause.
 * A turn must not throw.
 * @param subject what the turns are about: with another one they begin anew, after a pause
 */
export function useTurns(turns: readonly Turn[], pauseMs: number, subject: string): void {
  const latest = useRef(turns);
  latest.current = turns;
  const isPaused = turns.length === 0;
  useEffect(() => {
    if (isPaused) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let count = 0;
    /** A turn came while the page was hidden. It is taken when the page is shown. */
    let isDue = false;
    const take = async (): Promise<void> => {
      isDue = document.visibilityState !== 'visible';
      if (isDue) return;
      const turn = latest.current[count++ % latest.current.length];
      const startedAt = performance.now();
      await turn?.(stop.signal);
      if (stop.signal.aborted) return;
      timer = setTimeout(() => void take(), Math.max(pauseMs, pauseFactor * (performance.now() - startedAt)));
    };
    const takeIfDue = (): void => {
      if (isDue) void take();
    };
    document.addEventListener('visibilitychange', takeIfDue);
    timer = setTimeout(() => void take(), pauseMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', takeIfDue);
    };
  }, [isPaused, pauseMs, subject]);
}
