import { useCallback, useState } from 'preact/hooks';
import { loadSummary } from '../api/sessions.ts';
import type { UsageVersions } from '../live/use-changes.ts';
import { useLoaded } from '../live/use-loaded.ts';
import type { SessionRoute } from '../parts/session-route.ts';
import { SessionPage } from './session-page.tsx';

interface Props {
  route: SessionRoute;
  /** Another number when sessions have changed. */
  version: number;
  usage: UsageVersions;
  sandboxUrl: string;
}

/** The page of a session, with what the API key shows of it. */
export function SelectedSession({ route, version, usage, sandboxUrl }: Props) {
  const { id } = route;
  const load = useCallback((signal: AbortSignal) => loadSummary(id, signal), [id]);
  const { value: summary, isFresh, reload } = useLoaded(load, version);
  const [secretCount, setSecretCount] = useState(0);
  return (
    <SessionPage
      key={secretCount}
      route={route}
      summary={isFresh ? summary : undefined}
      isLoaded={isFresh}
      usageVersion={usage.of(id)}
      sandboxUrl={sandboxUrl}
      onChange={reload}
      onSecret={() => setSecretCount((count) => count + 1)}
    />
  );
}
