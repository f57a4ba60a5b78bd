import { useEffect, useState } from 'preact/hooks';
import { follow } from '../api/follow.ts';
import type { AuditEntry } from '../api/types.ts';

/** All that has happened to a session, as it happens. */
export function useEvents(id: string, isOwner: boolean): readonly AuditEntry[] {
  const [events, setEvents] = useState<readonly AuditEntry[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    let all: readonly AuditEntry[] = [];
    const path = isOwner ? 'session/stream' : `sessions/${encodeURIComponent(id)}/stream`;
    void follow(path, isOwner ? id : undefined, stop.signal, (came) => {
      const fresh = came.map(({ data }) => JSON.parse(data) as AuditEntry);
      const known = all.at(-1)?.seq ?? 0;
      all = [...all, ...fresh.filter(({ seq }) => seq > known)];
      setEvents(all);
      // Nothing comes after that.
      if (all.at(-1)?.state === 'deleted') stop.abort();
    });
    return () => stop.abort();
  }, [id, isOwner]);
  return events;
}
