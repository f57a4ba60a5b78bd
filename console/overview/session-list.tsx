import { useState } from 'preact/hooks';
import type { SessionSummary } from '../api/types.ts';
import {
  epochMs,
  formatCount,
  formatCountdown,
  formatDateTime,
  formatDuration,
  shortId,
  stateName,
} from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { sessionHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useNow } from '../parts/use-now.ts';
import { CreateForm } from './create-form.tsx';
import { countMatching, matchesFilter, matchesSearch, type SessionFilter, sessionFilters } from './session-filter.ts';

/** The number of rows at first, and of those that each "Show more" adds. */
const pageLength = 100;

interface Props {
  sessions: SessionSummary[] | undefined;
  selected: string | undefined;
  onCreated: () => void;
}

export function SessionList({ sessions, selected, onCreated }: Props) {
  const [filter, setFilter] = useState<SessionFilter>('live');
  const [search, setSearch] = useState('');
  const [length, setLength] = useState(pageLength);
  const now = useNow();
  const found = (sessions ?? []).filter(
    (session) => matchesFilter(session.state, filter) && matchesSearch(session, search),
  );
  return (
    <aside class="session-list" aria-labelledby="list-title">
      <h2 id="list-title">Sessions</h2>
      <CreateForm onCreated={onCreated} />
      <fieldset class="filters">
        <legend class="visually-hidden">Filter by state</legend>
        {sessionFilters.map((name) => (
          <label key={name} class="chip">
            <input
              type="radio"
              name="filter"
              checked={filter === name}
              onChange={() => {
                setFilter(name);
                setLength(pageLength);
              }}
            />
            <span>
              {name === 'live' ? 'Live' : stateName(name)}{' '}
              <span class="count">{countMatching(sessions ?? [], name)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        <span class="visually-hidden">Find by ID or name</span>
        <input
          type="search"
          placeholder="Find by ID or name"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </label>
      <p class="visually-hidden" role="status">
        {sessions === undefined ? 'Loading…' : `${formatCount(found.length, 'session')} found`}
      </p>
      <ul class="rows">
        {found.slice(0, length).map((session) => (
          <Row key={session.id} session={session} isSelected={session.id === selected} now={now} />
        ))}
      </ul>
      {sessions !== undefined && found.length === 0 && (
        <p class="muted">{sessions.length === 0 ? 'No sessions yet.' : 'No sessions match.'}</p>
      )}
      {found.length > length && (
        <button type="button" class="wide" onClick={() => setLength(length + pageLength)}>
          Show more ({found.length - length} left)
        </button>
      )}
    </aside>
  );
}

function Row({ session, isSelected, now }: { session: SessionSummary; isSelected: boolean; now: number }) {
  const { id, state, since, reason, deadline, held } = session;
  const name = ownName(session);
  return (
    <li>
      <a class="row" href={sessionHref(id)} aria-current={isSelected ? 'page' : undefined}>
        <span class="row-line">
          <StateBadge state={state} />
          <span class="muted" title={`Since ${formatDateTime(since)}`}>
            {formatDuration(now - epochMs(since))}
          </span>
        </span>
        <span class="row-line">
          <span class="row-id" title={id}>
            {shortId(id)}
          </span>
          {deadline !== '' && state !== 'deleted' && (
            <span class="due" title={`Will be deleted at ${formatDateTime(deadline)}`}>
              <span class="visually-hidden">Will be deleted in </span>
              {formatCountdown(epochMs(deadline) - now)}
            </span>
          )}
        </span>
        {name !== '' && <span class="row-reason">{name}</span>}
        <span class="row-reason muted">{held ? 'held: an event cannot be read' : reason}</span>
      </a>
    </li>
  );
}
