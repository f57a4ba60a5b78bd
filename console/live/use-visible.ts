import { useEffect, useState } from 'preact/hooks';

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Whether the page is shown: a tab in the background asks for nothing. */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(isVisible);
  useEffect(() => {
    const onChange = (): void => setVisible(isVisible());
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return visible;
}
