import { useEffect, useState } from 'preact/hooks';
import { followEvents } from '../api/follow-events.ts';
import { ApiError, authHeaders, errorMessage, gatewayUrl, readError } from '../api/request.ts';
import { useVisible } from './use-visible.ts';

/** What changes in many sessions is shown at most this often. */
const pauseMs = 2_000;

export interface Changes {
  /** Another number once a session has changed, and once the stream is open again: what was loaded before may be old. */
  version: number;
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
  const [problem, setProblem] = useState<Changes['problem']>();
  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = -pauseMs;
    const show = (): void => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          shownAt = performance.now();
          setVersion((before) => before + 1);
        },
        Math.max(0, shownAt + pauseMs - performance.now()),
      );
    };
    const fail = (error: unknown): void => {
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) onWrongKey();
      setProblem((before) => ({ text: errorMessage(error), since: before?.since ?? Date.now() }));
    };
    void followEvents({
      open: async (lastEventId) => {
        const response = await openStream(lastEventId, stop.signal);
        if (!response.ok) fail(await readError(response));
        return response;
      },
      onOpen: () => {
        setProblem(undefined);
        show();
      },
      onBreak: () =>
        setProblem((before) => before ?? { text: `${gatewayUrl.host} does not respond`, since: Date.now() }),
      onEvents: show,
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isVisible, onWrongKey]);
  return { version, problem };
}

/** @param lastEventId `0`: none was seen, and the stream begins with what happens from now on */
function openStream(lastEventId: string, signal: AbortSignal): Promise<Response> {
  const query = lastEventId === '0' ? '' : `?after=${lastEventId}`;
  const url = new URL(`sessions/stream${query}`, gatewayUrl);
  return fetch(url, { headers: authHeaders(), signal });
}
