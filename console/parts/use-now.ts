import { useEffect, useReducer } from 'preact/hooks';

/** The time in milliseconds since 1970. The component is drawn again every second. */
export function useNow(): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
