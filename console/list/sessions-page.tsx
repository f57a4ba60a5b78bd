import { useCallback, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { loadSessions } from '../api/sessions.ts';
import { NewLinkButton } from '../links/new-link-button.tsx';
import { useLoaded } from '../live/use-loaded.ts';
import { Dialog } from '../parts/dialog.tsx';
import { formatCount } from '../parts/format.ts';
import { ErrorTime } from '../parts/use-action.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CreateForm } from './create-form.tsx';
import { apiQueryOf, type ListQuery, listHref, type SortOrder } from './list-query.ts';
import { MoreFilters } from './more-filters.tsx';
import { SearchField } from './search-field.tsx';
import { SessionTable } from './session-table.tsx';
import { StateChoice, type StateCounts } from './state-choice.tsx';
import { useBulk } from './use-bulk.ts';

const pageLength = 100;

const orders: Record<SortOrder, string> = {
  '-created': 'in the order of their creation, the newest first',
  created: 'in the order of their creation, the oldest first',
  '-since': 'by the last change of their state, the latest first',
  since: 'by the last change of their state, the earliest first',
};

interface Props {
  query: ListQuery;
  counts: StateCounts | undefined;
  /** Another number when sessions have changed. */
  version: number;
}

/** All sessions as a table: filters and order are in the address, pages come from the server. */
export function SessionsPage({ query, counts, version }: Props) {
  const queryText = apiQueryOf(query, pageLength);
  const load = useCallback((signal: AbortSignal) => loadSessions(queryText, signal), [queryText]);
  const { value: page, isFresh, failure } = useLoaded(load, version);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isCreating, setCreating] = useState(false);
  const bulk = useBulk();
  const clear = (): void => {
    setSelected(new Set());
    bulk.clear();
  };
  const select = (ids: readonly string[], isSelected: boolean): void => {
    const changed = new Set(selected);
    for (const id of ids) {
      if (isSelected) changed.add(id);
      else changed.delete(id);
    }
    setSelected(changed);
    bulk.clear();
  };
  const isShown = selected.size > 0 || bulk.progress !== undefined;
  // Without an entry in the history for each letter.
  const change = (changed: Partial<ListQuery>): void => {
    clear();
    location.replace(listHref({ ...query, ...changed, after: '' }));
  };
  const sessions = page?.docs ?? [];
  const elsewhere = [...selected].filter((id) => !sessions.some((session) => session.id === id)).length;
  return (
    <>
      <header class="page-header list-header">
        <h1>Sessions</h1>
        <div class="actions">
          <NewLinkButton />
          <button type="button" onClick={() => setCreating(true)}>
            New session
          </button>
        </div>
        <p class="muted" role="status">
          {page === undefined ? 'Loading…' : foundText(sessions.length, query, page.after)}
        </p>
      </header>
      {isCreating && (
        <Dialog title="New session" onClose={() => setCreating(false)}>
          <CreateForm isRoomy onCreated={() => setCreating(false)} />
        </Dialog>
      )}
      <search class="list-filters">
        <SearchField
          label="Find by a part of ID, external ID or label"
          value={query.q}
          onSearch={(q) => change({ q })}
        />
        <StateChoice name="table-state" value={query.state} counts={counts} onChange={(state) => change({ state })} />
        <MoreFilters query={query} onChange={change} />
      </search>
      {failure !== undefined && (
        <p class="action-result error" role="alert">
          {errorMessage(failure.error)}
          <ErrorTime at={failure.at} />
        </p>
      )}
      {sessions.length > 0 ? (
        <div class={isFresh ? '' : 'loading'}>
          <SessionTable
            sessions={sessions}
            query={query}
            selected={selected}
            results={bulk.results}
            onSelect={select}
          />
        </div>
      ) : (
        page !== undefined && <p class="muted">No sessions match.</p>
      )}
      {isShown && (
        <BulkBar
          ids={[...selected]}
          elsewhere={elsewhere}
          bulk={bulk}
          onClear={clear}
          onEnd={(failed) => setSelected(new Set(failed))}
        />
      )}
      {page !== undefined && <Pages query={query} after={page.after} />}
    </>
  );
}

function foundText(count: number, { after, sort }: ListQuery, next: string): string {
  const found = formatCount(count, 'session');
  const shown = after === '' && next === '' ? found : `A page of ${found}`;
  return count > 1 ? `${shown}, ${orders[sort]}.` : `${shown}.`;
}

/** To the first page and to the next one; the browser's own button leads back. */
function Pages({ query, after }: { query: ListQuery; after: string }) {
  if (query.after === '' && after === '') return null;
  return (
    <nav class="pages" aria-label="Pages">
      {query.after !== '' && <a href={listHref({ ...query, after: '' })}>First page</a>}
      {after !== '' && <a href={listHref({ ...query, after })}>Next page</a>}
    </nav>
  );
}
