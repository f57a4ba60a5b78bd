import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage } from './api/request.ts';
import { listSessions } from './api/sessions.ts';
import { Overview } from './overview/overview.tsx';
import { SessionList } from './overview/session-list.tsx';
import { usePolling } from './parts/use-polling.ts';
import { useSessionRoute } from './parts/use-session-route.ts';
import { SessionPage } from './session/session-page.tsx';

const listIntervalMs = 2_000;

/** The list of sessions, and beside it the page of the selected session, or the overview. */
export function Layout({ sandboxUrl, onWrongKey }: { sandboxUrl: string; onWrongKey: () => void }) {
  const route = useSessionRoute();
  const selected = route?.id;
  const { value: sessions, error, refresh } = usePolling(listSessions, listIntervalMs);
  const isKeyWrong = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (isKeyWrong) onWrongKey();
  }, [isKeyWrong, onWrongKey]);
  const [secretCount, setSecretCount] = useState(0);
  const main = useRef<HTMLElement>(null);
  const view = `${selected} ${route?.isChats}`;
  const previous = useRef(view);
  useEffect(() => {
    if (previous.current === view) return;
    previous.current = view;
    scrollTo(0, 0);
    // Scrolling to the focused element would put its top under the sticky bar.
    main.current?.focus({ preventScroll: true });
  }, [view]);
  return (
    <div class={selected === undefined ? 'layout' : 'layout has-selection'}>
      {error !== undefined && (
        <p class="connection-error" role="alert">
          {errorMessage(error)}. Retrying…
        </p>
      )}
      <SessionList sessions={sessions} selected={selected} onCreated={refresh} />
      <main class="page" key={selected ?? ''} ref={main} tabIndex={-1}>
        {route === undefined ? (
          <Overview sessions={sessions} sandboxUrl={sandboxUrl} />
        ) : (
          <SessionPage
            key={secretCount}
            route={route}
            summary={sessions?.find(({ id }) => id === selected)}
            isListLoaded={sessions !== undefined}
            sandboxUrl={sandboxUrl}
            onChange={refresh}
            onSecret={() => setSecretCount((count) => count + 1)}
          />
        )}
      </main>
    </div>
  );
}
