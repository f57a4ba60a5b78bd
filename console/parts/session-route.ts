import { useEffect, useState } from 'preact/hooks';

const sessionPath = /^#\/sessions\/([^/]+)$/;

/** The session that the address names, if it names one. */
const chosen = (): string | undefined => {
  const id = sessionPath.exec(location.hash)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
};

export const sessionAddress = (id: string): string => `#/sessions/${encodeURIComponent(id)}`;

export function goTo(id: string): void {
  location.hash = sessionAddress(id);
}

export function useChosenSession(): string | undefined {
  const [id, setId] = useState(chosen);
  useEffect(() => {
    const read = (): void => setId(chosen());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return id;
}
