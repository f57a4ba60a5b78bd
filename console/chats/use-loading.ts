import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';

export interface Loading {
  /** Why the last request failed; empty if it succeeded. */
  error: string;
  /** A page that the user asked for is being loaded. */
  isBusy: boolean;
  /** Runs the work; an error is shown until another run succeeds. */
  attempt: (signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  /** The same for a page that the user asked for, unless one is being loaded. */
  once: (work: (signal: AbortSignal) => Promise<void>) => void;
}

/** The state of the requests for something. @param key of what is requested: another one aborts and forgets all */
export function useLoading(key: string): Loading {
  const [failure, setFailure] = useState({ key, error: '' });
  const [busyKey, setBusyKey] = useState<string>();
  const stop = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    stop.current = own;
    return () => {
      own.abort();
      setBusyKey(undefined);
    };
  }, [key]);
  const attempt = useCallback(
    async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
        if (!signal.aborted) setFailure({ key, error: '' });
      } catch (error) {
        if (!signal.aborted) setFailure({ key, error: errorMessage(error) });
      }
    },
    [key],
  );
  const isBusy = busyKey === key;
  const once = (work: (signal: AbortSignal) => Promise<void>): void => {
    if (isBusy) return;
    const { signal } = stop.current;
    setBusyKey(key);
    void attempt(signal, () => work(signal)).finally(() => {
      if (!signal.aborted) setBusyKey(undefined);
    });
  };
  return { error: failure.key === key ? failure.error : '', isBusy, attempt, once };
}
