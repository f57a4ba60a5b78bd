import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/request.ts';

const retryMs = 2_000;
const tooManyRequests = 429;

export interface Loaded<T> {
  /** What was loaded last, by another `load` too: see `isFresh`. */
  value: T | undefined;
  /** Whether `value` is what the present `load` has returned. */
  isFresh: boolean;
  /** Why the last request failed, and when (milliseconds since 1970); undefined if it succeeded. */
  failure: { error: unknown; at: number } | undefined;
  /** Loads it again. */
  reload: () => void;
}

/** Whether a repeated request may succeed: what is wrong with the request itself stays wrong. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === tooManyRequests || error.status >= 500;

/**
 * Loads a value, and again each time that `version` changes; after a failure that may pass every 2 seconds. Never two requests at once: a
 * change during a request leads to one more after it.
 * @param version compared by identity
 * @param load another function starts again; undefined: nothing is loaded
 */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | undefined, version: unknown): Loaded<T> {
  const [state, setState] = useState<{ of?: unknown; value?: T; failure?: Loaded<T>['failure'] }>({});
  const loadNow = useRef<() => void>(() => {});
  useEffect(() => {
    loadNow.current = () => {};
    if (load === undefined) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isBusy = false;
    let isDirty = false;
    const loadOnce = async (): Promise<void> => {
      isDirty = true;
      if (isBusy) return;
      isBusy = true;
      clearTimeout(timer);
      while (isDirty && !stop.signal.aborted) {
        isDirty = false;
        try {
          const value = await load(stop.signal);
          if (!stop.signal.aborted) setState({ of: load, value });
        } catch (error) {
          if (stop.signal.aborted) break;
          setState((before) => ({ ...before, failure: { error, at: Date.now() } }));
          if (isPassing(error)) timer = setTimeout(() => void loadOnce(), retryMs);
        }
      }
      isBusy = false;
    };
    loadNow.current = () => void loadOnce();
    void loadOnce();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [load]);
  const loadedVersion = useRef(version);
  useEffect(() => {
    if (loadedVersion.current === version) return;
    loadedVersion.current = version;
    loadNow.current();
  }, [version]);
  const reload = useCallback(() => loadNow.current(), []);
  return { value: state.value, isFresh: load !== undefined && state.of === load, failure: state.failure, reload };
}
