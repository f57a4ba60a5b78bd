import { useEffect, useState } from 'preact/hooks';
import { readRoute, type SessionRoute, sessionHref } from './session-route.ts';

export function navigateToSession(id: string): void {
  location.hash = sessionHref(id);
}

/** What the address names; undefined on the overview. */
export function useSessionRoute(): SessionRoute | undefined {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}
