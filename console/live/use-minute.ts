import { useEffect, useState } from 'preact/hooks';
import { useVisible } from './use-visible.ts';

const minuteMs = 60_000;

/** Another number each minute that the page is shown, and when it is shown again. */
export function useMinute(): number {
  const isVisible = useVisible();
  const [minute, setMinute] = useState(0);
  useEffect(() => {
    if (!isVisible) return;
    const next = (): void => setMinute((before) => before + 1);
    const timer = setInterval(next, minuteMs);
    return () => clearInterval(timer);
  }, [isVisible]);
  return minute;
}
