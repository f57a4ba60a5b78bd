import { useState } from 'preact/hooks';
import type { SessionSummary } from '../api/types.ts';
import { countdown, duration, msOf, shortId, stateName, wholeTime } from '../parts/format.ts';
import { sessionAddress } from '../parts/session-route.ts';
import { Badge } from '../parts/state-badge.tsx';
import { useNow } from '../parts/use-now.ts';
import { CreateForm } from './create-form.tsx';
import { countOf, type Filter, filters, isShown } from './session-filter.ts';

/** So many rows are drawn; the rest when they are asked for. */
const pageLength = 100;

interface Props {
  sessions: SessionSummary[] | undefined;
  chosen: string | undefined;
  onCreated: () => void;
}

export function SessionList({ sessions, chosen, onCreated }: Props) {
  const [filter, setFilter] = useState<Filter>('live');
  const [search, setSearch] = useState('');
  const [length, setLength] = useState(pageLength);
  const now = useNow();
  const found = (sessions ?? []).filter(
    ({ id, state }) => isShown(state, filter) && id.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <aside class="list" aria-labelledby="list-title">
      <h2 id="list-title">Sessions</h2>
      <CreateForm onCreated={onCreated} />
      <fieldset class="filters">
        <legend class="hidden">Show</legend>
        {filters.map((name) => (
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
              {name === 'live' ? 'Live' : stateName(name)} <span class="count">{countOf(sessions ?? [], name)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="search">
        <span class="hidden">Find by ID</span>
        <input
          type="search"
          placeholder="Find by ID"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </label>
      <p class="hidden" role="status">
        {sessions === undefined ? 'Loading' : `${found.length} sessions shown`}
      </p>
      <ul class="rows">
        {found.slice(0, length).map((session) => (
          <Row key={session.id} session={session} isChosen={session.id === chosen} now={now} />
        ))}
      </ul>
      {sessions !== undefined && found.length === 0 && <p class="quiet none">None here.</p>}
      {found.length > length && (
        <button type="button" class="more" onClick={() => setLength(length + pageLength)}>
          Show more ({found.length - length} left)
        </button>
      )}
    </aside>
  );
}

function Row({ session, isChosen, now }: { session: SessionSummary; isChosen: boolean; now: number }) {
  const { id, state, since, reason, deadline } = session;
  return (
    <li>
      <a class="row" href={sessionAddress(id)} aria-current={isChosen ? 'page' : undefined}>
        <span class="row-line">
          <Badge state={state} />
          <span class="quiet" title={wholeTime(since)}>
            {duration(now - msOf(since))}
          </span>
        </span>
        <span class="row-line">
          <span class="row-id" title={id}>
            {shortId(id)}
          </span>
          {deadline !== '' && state !== 'deleted' && (
            <span class="due" title={`deleted at ${wholeTime(deadline)}`}>
              <span class="hidden">deleted in </span>
              {countdown(msOf(deadline) - now)}
            </span>
          )}
        </span>
        <span class="row-reason quiet">{reason}</span>
      </a>
    </li>
  );
}
