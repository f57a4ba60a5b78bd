import { useEffect, useRef } from 'preact/hooks';
import { ApiError, messageOf } from './api/request.ts';
import { allSessions } from './api/sessions.ts';
import { Overview } from './overview/overview.tsx';
import { SessionList } from './overview/session-list.tsx';
import { useChosenSession } from './parts/session-route.ts';
import { usePolled } from './parts/use-polling.ts';
import { SessionPage } from './session/session-page.tsx';

const listEveryMs = 2_000;

/** The list of sessions, and beside it the one that is chosen, or all of them at a glance. */
export function Frame({ sandboxUrl, onWrongKey }: { sandboxUrl: string; onWrongKey: () => void }) {
  const chosen = useChosenSession();
  const { value: sessions, error, refresh } = usePolled(allSessions, listEveryMs);
  const isWrongKey = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (isWrongKey) onWrongKey();
  }, [isWrongKey, onWrongKey]);
  const main = useRef<HTMLElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    scrollTo(0, 0);
    main.current?.focus();
  }, [chosen]);
  return (
    <div class={chosen === undefined ? 'frame' : 'frame has-chosen'}>
      {error !== undefined && (
        <p class="trouble" role="alert">
          {messageOf(error)}; trying again…
        </p>
      )}
      <SessionList sessions={sessions} chosen={chosen} onCreated={refresh} />
      <main class="page" key={chosen ?? ''} ref={main} tabIndex={-1}>
        {chosen === undefined ? (
          <Overview sessions={sessions} sandboxUrl={sandboxUrl} />
        ) : (
          <SessionPage
            id={chosen}
            summary={sessions?.find(({ id }) => id === chosen)}
            isListRead={sessions !== undefined}
            sandboxUrl={sandboxUrl}
            onChange={refresh}
          />
        )}
      </main>
    </div>
  );
}
