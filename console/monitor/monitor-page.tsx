import { useMemo, useState } from 'preact/hooks';
import { sessionStates } from '../../actors/session/events.ts';
import { DownloadButton } from '../parts/events/download-button.tsx';
import { eventName, factName, factTypes } from '../parts/events/event-names.ts';
import { foldRuns } from '../parts/events/event-runs.ts';
import { formatCount, stateName } from '../parts/format.ts';
import { type MonitorEvent, type MonitorFilter, matchesMonitor, monitorHref } from './monitor-event.ts';
import { MonitorRow } from './monitor-row.tsx';
import { useMonitor } from './use-monitor.ts';

/** More rows than anyone reads would only slow the page down; the download has all. */
const maxRows = 300;

const saysTheSame = (event: MonitorEvent, neighbour: MonitorEvent): boolean =>
  event.id === neighbour.id && nameOf(event) === nameOf(neighbour) && event.state === neighbour.state;

/** A fact that led to a state has its own reason as that of the state. */
const nameOf = ({ type, reason }: MonitorEvent): string => eventName({ type, data: { reason } });

function emptyText(isOpen: boolean, count: number): string {
  if (count > 0) return 'No events match.';
  return isOpen ? 'Nothing has happened yet.' : 'Connecting…';
}

/** The events of all sessions as they happen: filtered, paused, and saved as a file. */
export function MonitorPage({ filter }: { filter: MonitorFilter }) {
  const { isOpen, events, held, isPaused, pause, clear } = useMonitor();
  const [openedAt] = useState(() => new Date().toISOString().slice(0, 19).replaceAll(':', ''));
  const found = useMemo(() => events.filter((event) => matchesMonitor(event, filter)), [events, filter]);
  const runs = useMemo(() => foldRuns(found.toReversed(), saysTheSame), [found]);
  const change = (changed: Partial<MonitorFilter>): void => location.replace(monitorHref({ ...filter, ...changed }));
  return (
    <>
      <header class="page-header">
        <h1>Events</h1>
        <p class="muted">What happens in any session, from the moment this page was opened.</p>
      </header>
      <div class="monitor-filter" role="search" aria-label="Events">
        <label>
          Event
          <select value={filter.type} onChange={({ currentTarget }) => change({ type: currentTarget.value })}>
            <option value="">All</option>
            {factTypes.map((type) => (
              <option key={type} value={type}>
                {factName(type)}
              </option>
            ))}
          </select>
        </label>
        <label>
          State
          <select value={filter.state} onChange={({ currentTarget }) => change({ state: currentTarget.value })}>
            <option value="">All</option>
            {sessionStates.map((state) => (
              <option key={state} value={state}>
                {stateName(state)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Session or reason
          <input
            type="search"
            placeholder="ID, name, reason"
            value={filter.q}
            onInput={({ currentTarget }) => change({ q: currentTarget.value })}
          />
        </label>
      </div>
      <div class="actions">
        <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
          {isPaused ? `Go on${held > 0 ? ` (${held} new)` : ''}` : 'Pause'}
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
        <DownloadButton
          label="Download NDJSON"
          name={`events-${openedAt}.ndjson`}
          lines={() => found.map((event) => JSON.stringify(event))}
        />
        <p class="monitor-count muted" role="status">
          {`${formatCount(found.length, 'event')}${isPaused ? ', paused' : ''}`}
        </p>
      </div>
      {runs.length === 0 ? (
        <p class="card muted">{emptyText(isOpen, events.length)}</p>
      ) : (
        <ol class="card monitor" aria-label="Events, newest first">
          {runs.slice(0, maxRows).map(({ first, events: run }) => (
            <MonitorRow key={`${first.id} ${run.at(-1)?.seq}`} event={first} name={nameOf(first)} count={run.length} />
          ))}
        </ol>
      )}
    </>
  );
}
