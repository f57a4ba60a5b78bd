import { useEffect, useState } from 'preact/hooks';
import { followEvents } from '../api/follow-events.ts';
import { authHeaders, gatewayUrl } from '../api/request.ts';
import type { AuditEntry } from '../api/types.ts';

export interface SessionEvents {
  /** All that are recorded, oldest first. */
  events: readonly AuditEntry[];
  /** Since when the stream is broken, milliseconds since 1970; undefined while new events arrive. */
  brokenSince: number | undefined;
}

/** All recorded events of a session; updated as new ones arrive. */
export function useEvents(id: string, isOwner: boolean): SessionEvents {
  const [events, setEvents] = useState<readonly AuditEntry[]>([]);
  const [brokenSince, setBrokenSince] = useState<number>();
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
      onOpen: () => setBrokenSince(undefined),
      onBreak: () => setBrokenSince((since) => since ?? Date.now()),
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      setBrokenSince(undefined);
    };
  }, [id, isOwner]);
  return { events, brokenSince };
}
