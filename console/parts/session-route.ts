import { useEffect, useState } from 'preact/hooks';

const sessionHash = /^#\/sessions\/([^/]+)$/;

/** The ID of the session in the address, if there is one. */
const routedSession = (): string | undefined => {
  const id = sessionHash.exec(location.hash)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
};

export const sessionHref = (id: string): string => `#/sessions/${encodeURIComponent(id)}`;

export function navigateToSession(id: string): void {
  location.hash = sessionHref(id);
}

/** The ID of the session whose page the address names; undefined on the overview. */
export function useRoutedSession(): string | undefined {
  const [id, setId] = useState(routedSession);
  useEffect(() => {
    const onChange = (): void => setId(routedSession());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return id;
}
