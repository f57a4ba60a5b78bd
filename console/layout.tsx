import { useEffect, useRef } from 'preact/hooks';
import { ApiError, errorMessage } from './api/request.ts';
import { listSessions } from './api/sessions.ts';
import { Overview } from './overview/overview.tsx';
import { SessionList } from './overview/session-list.tsx';
import { useRoutedSession } from './parts/session-route.ts';
import { usePolling } from './parts/use-polling.ts';
import { SessionPage } from './session/session-page.tsx';

const listIntervalMs = 2_000;

/** The list of sessions, and beside it the page of the selected session, or the overview. */
export function Layout({ sandboxUrl, onWrongKey }: { sandboxUrl: string; onWrongKey: () => void }) {
  const selected = useRoutedSession();
  const { value: sessions, error, refresh } = usePolling(listSessions, listIntervalMs);
  const isKeyWrong = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (isKeyWrong) onWrongKey();
  }, [isKeyWrong, onWrongKey]);
  const main = useRef<HTMLElement>(null);
  const previous = useRef(selected);
  useEffect(() => {
    if (previous.current === selected) return;
    previous.current = selected;
    scrollTo(0, 0);
    // Scrolling to the focused element would put its top under the sticky bar.
    main.current?.focus({ preventScroll: true });
  }, [selected]);
  return (
    <div class={selected === undefined ? 'layout' : 'layout has-selection'}>
      {error !== undefined && (
        <p class="connection-error" role="alert">
          {errorMessage(error)}. Retrying…
        </p>
      )}
      <SessionList sessions={sessions} selected={selected} onCreated={refresh} />
      <main class="page" key={selected ?? ''} ref={main} tabIndex={-1}>
        {selected === undefined ? (
          <Overview sessions={sessions} sandboxUrl={sandboxUrl} />
        ) : (
          <SessionPage
            id={selected}
            summary={sessions?.find(({ id }) => id === selected)}
            isListLoaded={sessions !== undefined}
            sandboxUrl={sandboxUrl}
            onChange={refresh}
          />
        )}
      </main>
    </div>
  );
}
