import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Polled<T> {
  value: T | undefined;
  /** Why the last attempt brought none. */
  error: unknown;
  /** Asks at once. */
  refresh: () => void;
}

/** How much longer than an answer takes is waited before the next question: a list that is long is asked for rarely. */
const restFactor = 10;

/**
 * Asks again and again while the page is looked at, and keeps the last answer.
 * @param load undefined: nothing is to be asked now; another one begins anew
 */
export function usePolled<T>(load: ((signal: AbortSignal) => Promise<T>) | undefined, everyMs: number): Polled<T> {
  const [state, setState] = useState<{ of: unknown; value?: T; error?: unknown }>({ of: load });
  const again = useRef<() => void>(() => {});
  useEffect(() => {
    if (load === undefined) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let round = 0;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      const own = (round += 1);
      const begun = performance.now();
      if (document.visibilityState === 'visible') {
        try {
          const value = await load(stop.signal);
          if (stop.signal.aborted || own !== round) return;
          setState({ of: load, value });
        } catch (error) {
          if (stop.signal.aborted || own !== round) return;
          setState((before) => ({ ...(before.of === load ? before : {}), of: load, error }));
        }
      }
      timer = setTimeout(() => void ask(), Math.max(everyMs, restFactor * (performance.now() - begun)));
    };
    const ifVisible = (): void => {
      if (document.visibilityState === 'visible') void ask();
    };
    again.current = () => void ask();
    document.addEventListener('visibilitychange', ifVisible);
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ifVisible);
    };
  }, [load, everyMs]);
  const refresh = useCallback(() => again.current(), []);
  const isCurrent = state.of === load;
  return { value: isCurrent ? state.value : undefined, error: isCurrent ? state.error : undefined, refresh };
}
