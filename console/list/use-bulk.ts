import { useRef, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';

/** Requests that are under way at once. */
const inFlight = 4;

export interface RowResult {
  text: string;
  isError: boolean;
}

export interface Bulk {
  /** Undefined while nothing has been done. */
  progress: { done: number; failed: number; count: number; isRunning: boolean } | undefined;
  results: ReadonlyMap<string, RowResult>;
  /**
   * Does the same with each session. One that fails stops none of the others.
   * @returns those that failed or were not begun
   */
  run: (ids: readonly string[], done: string, work: (id: string) => Promise<unknown>) => Promise<string[]>;
  /** Begins no more: what is under way ends. */
  stop: () => void;
  clear: () => void;
}

/** The same action on several sessions, with the result of each. */
export function useBulk(): Bulk {
  const [progress, setProgress] = useState<Bulk['progress']>();
  const [results, setResults] = useState<ReadonlyMap<string, RowResult>>(new Map());
  const isStopped = useRef(false);
  const run: Bulk['run'] = async (ids, done, work) => {
    isStopped.current = false;
    const waiting = [...ids];
    const found = new Map<string, RowResult>();
    const show = (isRunning: boolean): void => {
      const failed = [...found.values()].filter(({ isError }) => isError).length;
      setResults(new Map(found));
      setProgress({ done: found.size, failed, count: ids.length, isRunning });
    };
    const workOff = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !isStopped.current; id = waiting.shift()) {
        try {
          await work(id);
          found.set(id, { text: done, isError: false });
        } catch (error) {
          found.set(id, { text: errorMessage(error), isError: true });
        }
        show(true);
      }
    };
    show(true);
    await Promise.all(Array.from({ length: inFlight }, () => workOff()));
    show(false);
    return ids.filter((id) => found.get(id)?.isError !== false);
  };
  return {
    progress,
    results,
    run,
    stop: () => {
      isStopped.current = true;
    },
    clear: () => {
      setProgress(undefined);
      setResults(new Map());
    },
  };
}
