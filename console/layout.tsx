import { useEffect, useMemo, useRef } from 'preact/hooks';
import { LinksPage } from './links/links-page.tsx';
import { readListQuery } from './list/list-query.ts';
import { SessionList } from './list/session-list.tsx';
import { SessionsPage } from './list/sessions-page.tsx';
import { usePageKeys } from './list/use-page-keys.ts';
import { useChanges } from './live/use-changes.ts';
import { useCounts } from './live/use-counts.ts';
import { readMonitorFilter } from './monitor/monitor-event.ts';
import { MonitorPage } from './monitor/monitor-page.tsx';
import { NodesPage } from './nodes/nodes-page.tsx';
import { Overview } from './overview/overview.tsx';
import { readWindow } from './overview/overview-window.ts';
import { formatClockTime } from './parts/format.ts';
import { readRoute } from './parts/session-route.ts';
import { useHash } from './parts/use-hash.ts';
import { SelectedSession } from './session/selected-session.tsx';

const linksHash = '#/links';
const nodesHash = '#/nodes';

interface Props {
  sandboxUrl: string;
  onWrongKey: () => void;
}

/** The page that the address names: the table of sessions, or a session or the overview with the newest sessions beside it. */
export function Layout({ sandboxUrl, onWrongKey }: Props) {
  const hash = useHash();
  const { version, usage, problem } = useChanges(onWrongKey);
  const counts = useCounts(version);
  usePageKeys();
  const route = readRoute(hash);
  const query = readListQuery(hash);
  const isLinks = hash === linksHash;
  const monitorFilter = useMemo(() => readMonitorFilter(hash), [hash]);
  const whole = wholePage(query !== undefined, isLinks, hash === nodesHash, monitorFilter !== undefined);
  const isWhole = whole !== undefined;
  const page = whole ?? route?.id ?? 'overview';
  const main = useRef<HTMLElement>(null);
  const view = `${page} ${route?.isChats}`;
  const previous = useRef(view);
  useEffect(() => {
    if (previous.current === view) return;
    previous.current = view;
    scrollTo(0, 0);
    // Scrolling to the focused element would put its top under the sticky bar.
    main.current?.focus({ preventScroll: true });
  }, [view]);
  const shape = isWhole ? 'layout whole' : route === undefined ? 'layout' : 'layout has-selection';
  return (
    <div class={problem === undefined ? shape : `${shape} not-live`}>
      {problem !== undefined && (
        <p class="connection-error" role="alert">
          {`Not live since ${formatClockTime(problem.since)}: ${problem.text}. Retrying…`}
        </p>
      )}
      {!isWhole && <SessionList selected={route?.id} counts={counts} version={version} />}
      <main class="page" id="page" key={page} ref={main} tabIndex={-1}>
        {query !== undefined && <SessionsPage query={query} counts={counts} version={version} />}
        {isLinks && <LinksPage version={version} />}
        {page === 'nodes' && <NodesPage />}
        {route !== undefined && (
          <SelectedSession route={route} version={version} usage={usage} sandboxUrl={sandboxUrl} />
        )}
        {monitorFilter !== undefined && <MonitorPage filter={monitorFilter} />}
        {page === 'overview' && (
          <Overview sandboxUrl={sandboxUrl} window={readWindow(hash)} version={`${version} ${usage.any}`} />
        )}
      </main>
    </div>
  );
}

/** The name of a page that has no list beside it. */
function wholePage(isList: boolean, isLinks: boolean, isNodes: boolean, isMonitor: boolean): string | undefined {
  if (isList) return 'list';
  if (isLinks) return 'links';
  if (isNodes) return 'nodes';
  return isMonitor ? 'events' : undefined;
}
