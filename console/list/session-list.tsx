import { useCallback, useState } from 'preact/hooks';
import { loadSessions } from '../api/sessions.ts';
import type { SessionSummary } from '../api/types.ts';
import { useLoaded } from '../live/use-loaded.ts';
import { epochMs, formatCount, formatCountdown, formatDateTime, formatDuration, shortId } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { sessionHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useNow } from '../parts/use-now.ts';
import { CreateForm } from './create-form.tsx';
import { apiQueryOf, everyLiveSession, listHref } from './list-query.ts';
import { SearchField } from './search-field.tsx';
import { StateChoice, type StateCounts } from './state-choice.tsx';

/** The number of rows at first, and of those that each "Show more" adds. */
const pageLength = 100;
/** The longest page that the API has: there are more on the page of the list. */
const maxLength = 1_000;

interface Props {
  /** The session that the page beside the list shows. */
  selected: string | undefined;
  counts: StateCounts | undefined;
  /** Another number when sessions have changed. */
  version: number;
}

/** The newest sessions, beside the page of one of them. */
export function SessionList({ selected, counts, version }: Props) {
  const [query, setQuery] = useState(everyLiveSession);
  const [length, setLength] = useState(pageLength);
  const now = useNow();
  const load = useCallback((signal: AbortSignal) => loadSessions(apiQueryOf(query, length), signal), [query, length]);
  const { value: page, reload } = useLoaded(load, version);
  const change = (changed: Partial<typeof query>): void => {
    setQuery({ ...query, ...changed });
    setLength(pageLength);
  };
  const found = page?.docs ?? [];
  const hasMore = page !== undefined && page.after !== '';
  return (
    <aside class="session-list" aria-labelledby="list-title">
      <div class="card-header">
        <h2 id="list-title">Sessions</h2>
        <a href={listHref({ state: query.state, q: query.q })}>As a table</a>
      </div>
      <CreateForm isRoomy={false} onCreated={reload} />
      <StateChoice name="state" value={query.state} counts={counts} onChange={(state) => change({ state })} />
      <SearchField label="Find by ID or name" value={query.q} onSearch={(q) => change({ q })} />
      <p class="visually-hidden" role="status">
        {page === undefined ? 'Loading…' : foundText(found.length, hasMore)}
      </p>
      <ul class="rows">
        {found.map((session) => (
          <Row key={session.id} session={session} isSelected={session.id === selected} now={now} />
        ))}
      </ul>
      {page !== undefined && found.length === 0 && (
        <p class="muted">{query.q === '' && query.state === 'live' ? 'No sessions yet.' : 'No sessions match.'}</p>
      )}
      {hasMore && length < maxLength && (
        <button
          type="button"
          class="wide"
          onClick={() => setLength(length === pageLength ? 2 * pageLength : maxLength)}
        >
          Show more
        </button>
      )}
      {hasMore && length === maxLength && <a href={listHref({ state: query.state, q: query.q })}>Older ones</a>}
    </aside>
  );
}

const foundText = (count: number, hasMore: boolean): string =>
  hasMore ? `The newest ${formatCount(count, 'session')} shown` : `${formatCount(count, 'session')} found`;

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
