import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents } from '../api/follow-events.ts';
import { authHeaders, gatewayUrl } from '../api/request.ts';
import { type MonitorEvent, readMonitorEvent } from './monitor-event.ts';

/** A busy gateway must not fill the tab's memory. */
const maxEvents = 2_000;
/** The list is drawn at most this often. */
const drawEveryMs = 250;

export interface Monitor {
  /** Whether what happens now arrives. */
  isOpen: boolean;
  /** Oldest first; those that arrive during a pause only after it. */
  events: readonly MonitorEvent[];
  /** How many have arrived during the pause. */
  held: number;
  isPaused: boolean;
  pause: (isPaused: boolean) => void;
  clear: () => void;
}

/** Follows the events of all sessions, from the moment of the call on. The newest 2,000 are kept. */
export function useMonitor(): Monitor {
  const [events, setEvents] = useState<readonly MonitorEvent[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [held, setHeld] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const arrived = useRef<MonitorEvent[]>([]);
  const paused = useRef(false);
  const show = useRef((): void => {
    const fresh = arrived.current;
    arrived.current = [];
    setHeld(0);
    setEvents((before) => [...before, ...fresh].slice(-maxEvents));
  });
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      if (paused.current) setHeld(arrived.current.length);
      else show.current();
    };
    void followEvents({
      open: (lastEventId) => {
        // Without an event that was seen, the stream begins with what happens from now on.
        const after = lastEventId === '0' ? '' : `&after=${lastEventId}`;
        const url = new URL(`sessions/stream?events=all${after}`, gatewayUrl);
        return fetch(url, { headers: authHeaders(), signal: stop.signal });
      },
      onEvents: (messages) => {
        arrived.current = [...arrived.current, ...messages.map(readMonitorEvent)].slice(-maxEvents);
        timer ??= setTimeout(draw, drawEveryMs);
      },
      onOpen: () => setOpen(true),
      onBreak: () => setOpen(false),
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return {
    isOpen,
    events,
    held,
    isPaused,
    pause: (wanted) => {
      paused.current = wanted;
      setPaused(wanted);
      if (!wanted) show.current();
    },
    clear: () => {
      arrived.current = [];
      setHeld(0);
      setEvents([]);
    },
  };
}
