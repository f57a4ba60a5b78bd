import { useEffect, useReducer } from 'preact/hooks';

/** Milliseconds since 1970, anew every second, and whenever else there is something new to draw. */
export function useNow(): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
