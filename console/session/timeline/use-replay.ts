import { useEffect, useState } from 'preact/hooks';
import { readReplay } from '../../api/sessions.ts';
import type { PastSession } from '../../api/types.ts';

/**
 * The session as it was after the event `seq`. While another event loads, the previous replay stays.
 * @returns undefined without `seq`, and until the first replay is loaded
 */
export function useReplay(id: string, isOwner: boolean, seq: number | undefined): PastSession | undefined {
  const [replay, setReplay] = useState<PastSession>();
  useEffect(() => {
    if (seq === undefined) {
      setReplay(undefined);
      return;
    }
    const stop = new AbortController();
    readReplay(id, isOwner, seq, stop.signal).then(setReplay, () => undefined);
    return () => stop.abort();
  }, [id, isOwner, seq]);
  return seq === undefined ? undefined : replay;
}
