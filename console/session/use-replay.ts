import { useEffect, useState } from 'preact/hooks';
import { replayAt } from '../api/sessions.ts';
import type { Replay } from '../api/types.ts';

/** The session as it was after an event; undefined until that is known. The moment before stays meanwhile. */
export function useReplay(id: string, isOwner: boolean, seq: number | undefined): Replay | undefined {
  const [replay, setReplay] = useState<Replay>();
  useEffect(() => {
    if (seq === undefined) {
      setReplay(undefined);
      return;
    }
    const stop = new AbortController();
    replayAt(id, isOwner, seq, stop.signal).then(setReplay, () => undefined);
    return () => stop.abort();
  }, [id, isOwner, seq]);
  return seq === undefined ? undefined : replay;
}
