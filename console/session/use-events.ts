import { useEffect, useState } from 'preact/hooks';
import { followEvents } from '../api/follow-events.ts';
import { authHeaders, gatewayUrl } from '../api/request.ts';
import type { AuditEntry } from '../api/types.ts';

/** All recorded events of a session, oldest first; updated as new ones arrive. */
export function useEvents(id: string, isOwner: boolean): readonly AuditEntry[] {
  const [events, setEvents] = useState<readonly AuditEntry[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    let all: readonly AuditEntry[] = [];
    const path = isOwner ? 'session/stream' : `sessions/${encodeURIComponent(id)}/stream`;
    const headers = authHeaders(isOwner ? id : undefined);
    void followEvents({
      open: (lastEventId) =>
        fetch(new URL(`${path}?after=${lastEventId}`, gatewayUrl), { headers, signal: stop.signal }),
      onEvents: (arrived) => {
        const known = all.at(-1)?.seq ?? 0;
        const fresh = arrived.map(({ data }) => JSON.parse(data) as AuditEntry).filter(({ seq }) => seq > known);
        all = [...all, ...fresh];
        setEvents(all);
        // The log of a deleted session is complete: a reconnect would bring nothing.
        if (all.at(-1)?.state === 'deleted') stop.abort();
      },
      signal: stop.signal,
    });
    return () => stop.abort();
  }, [id, isOwner]);
  return events;
}
