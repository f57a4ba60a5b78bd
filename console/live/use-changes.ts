import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { followEvents, type StreamEvent } from '../api/follow-events.ts';
import { ApiError, authHeaders, errorMessage, gatewayUrl, readError } from '../api/request.ts';
import { UsageCounter } from './usage-counter.ts';
import { useVisible } from './use-visible.ts';

/** What changes in many sessions is shown at most this often. */
const pauseMs = 2_000;

/** Another number once something was sent or delivered, and once the stream is open again. */
export interface UsageVersions {
  /** By any session. */
  any: number;
  /** By one session. @param id of the session */
  of: (id: string) => string;
}

export interface Changes {
  /** Another number once a session has changed, and once the stream is open again: what was loaded before may be old. */
  version: number;
  usage: UsageVersions;
  /** Why nothing is followed now, and since when (milliseconds since 1970). */
  problem: { text: string; since: number } | undefined;
}

/**
 * Follows what changes in any session (`GET /sessions/stream`), as long as the page is visible: a browser has only six
 * connections to a host for all its tabs.
 * @param onWrongKey the gateway does not know the API key of this tab
 */
export function useChanges(onWrongKey: () => void): Changes {
  const isVisible = useVisible();
  const [version, setVersion] = useState(0);
  const [usageVersion, setUsageVersion] = useState(0);
  const [problem, setProblem] = useState<Changes['problem']>();
  const counter = useRef(new UsageCounter());
  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = -pauseMs;
    let hasChanged = false;
    const draw = (): void => {
      timer = undefined;
      shownAt = performance.now();
      if (hasChanged) setVersion((before) => before + 1);
      hasChanged = false;
      setUsageVersion(counter.current.show());
    };
    const drawSoon = (): void => {
      timer ??= setTimeout(draw, Math.max(0, shownAt + pauseMs - performance.now()));
    };
    const fail = (error: unknown): void => {
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) onWrongKey();
      setProblem((before) => ({ text: errorMessage(error), since: before?.since ?? Date.now() }));
    };
    const take = (events: readonly StreamEvent[]): void => {
      for (const { event, data } of events) {
        if (event === 'UsageRecorded') counter.current.count(data);
        else hasChanged = true;
      }
      drawSoon();
    };
    void followEvents({
      open: async (lastEventId) => {
        const response = await openStream(lastEventId, stop.signal);
        if (!response.ok) fail(await readError(response));
        return response;
      },
      onOpen: () => {
        setProblem(undefined);
        hasChanged = true;
        counter.current.countAll();
        drawSoon();
      },
      onBreak: () =>
        setProblem((before) => before ?? { text: `${gatewayUrl.host} does not respond`, since: Date.now() }),
      onEvents: take,
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isVisible, onWrongKey]);
  const usage = useMemo(
    () => ({ any: usageVersion, of: (id: string) => counter.current.versionOf(id) }),
    [usageVersion],
  );
  return { version, usage, problem };
}

/** @param lastEventId `0`: none was seen, and the stream begins with what happens from now on */
function openStream(lastEventId: string, signal: AbortSignal): Promise<Response> {
  const after = lastEventId === '0' ? '' : `&after=${lastEventId}`;
  const url = new URL(`sessions/stream?usage=true${after}`, gatewayUrl);
  return fetch(url, { headers: authHeaders(), signal });
}
