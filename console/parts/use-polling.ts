import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Polling<T> {
  /** What the last successful request returned. */
  value: T | undefined;
  /** Why the last request failed; undefined if it succeeded. */
  error: unknown;
  /** Requests the value now. */
  refresh: () => void;
}

/** The pause is at least ten times as long as the request took: a long list is requested less often. */
const pauseFactor = 10;

/**
 * Requests a value at an interval, as long as the page is visible.
 * @param load undefined pauses the polling; another function drops the value and starts again
 * @param intervalMs the shortest pause between two requests
 */
export function usePolling<T>(load: ((signal: AbortSignal) => Promise<T>) | undefined, intervalMs: number): Polling<T> {
  const [state, setState] = useState<{ of: unknown; value?: T; error?: unknown }>({ of: load });
  const refreshNow = useRef<() => void>(() => {});
  useEffect(() => {
    if (load === undefined) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let latestRequest = 0;
    const poll = async (): Promise<void> => {
      clearTimeout(timer);
      const ownRequest = (latestRequest += 1);
      const startedAt = performance.now();
      if (document.visibilityState === 'visible') {
        try {
          const value = await load(stop.signal);
          if (stop.signal.aborted || ownRequest !== latestRequest) return;
          setState({ of: load, value });
        } catch (error) {
          if (stop.signal.aborted || ownRequest !== latestRequest) return;
          setState((before) => ({ ...(before.of === load ? before : {}), of: load, error }));
        }
      }
      timer = setTimeout(() => void poll(), Math.max(intervalMs, pauseFactor * (performance.now() - startedAt)));
    };
    const pollIfVisible = (): void => {
      if (document.visibilityState === 'visible') void poll();
    };
    refreshNow.current = () => void poll();
    document.addEventListener('visibilitychange', pollIfVisible);
    void poll();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [load, intervalMs]);
  const refresh = useCallback(() => refreshNow.current(), []);
  const isCurrent = state.of === load;
  return { value: isCurrent ? state.value : undefined, error: isCurrent ? state.error : undefined, refresh };
}
