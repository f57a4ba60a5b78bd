import type { SessionSummary } from '../api/types.ts';
import { useNow } from '../parts/use-now.ts';
import { type Column, columns } from './columns.tsx';
import { type ListQuery, listHref, type SortOrder } from './list-query.ts';
import type { RowResult } from './use-bulk.ts';

interface Props {
  sessions: readonly SessionSummary[];
  query: ListQuery;
  selected: ReadonlySet<string>;
  /** What has become of the last action, by session. */
  results: ReadonlyMap<string, RowResult>;
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
}

/** Sessions as rows, which can be selected. */
export function SessionTable({ sessions, query, selected, results, onSelect }: Props) {
  const now = useNow();
  const ids = sessions.map(({ id }) => id);
  const count = ids.filter((id) => selected.has(id)).length;
  const hasTenants = sessions.some(({ tenant }) => tenant !== '');
  const shown = columns.filter(({ name }) => name !== 'Tenant' || hasTenants);
  return (
    <div class="table-frame">
      <table class="sessions">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={count > 0 && count === ids.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = count > 0 && count < ids.length;
                }}
                onChange={(event) => onSelect(ids, event.currentTarget.checked)}
              />
            </th>
            {shown.map((column) => (
              <Heading key={column.name} column={column} query={query} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id} class={selected.has(session.id) ? 'selected' : ''}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Select ${session.label || session.externalId || session.id}`}
                  checked={selected.has(session.id)}
                  onChange={(event) => onSelect([session.id], event.currentTarget.checked)}
                />
              </td>
              {shown.map(({ name, isWide, cell }, index) => (
                <td key={name} class={isWide === true ? 'wide-only' : ''}>
                  <div class="cell">
                    {cell(session, now)}
                    {index === 0 && <Result result={results.get(session.id)} />}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Result({ result }: { result: RowResult | undefined }) {
  if (result === undefined) return null;
  return <span class={result.isError ? 'row-result error' : 'row-result'}>{result.text}</span>;
}

/** Of a column by which the API sorts: a link that sorts, and turns the order round. */
function Heading({ column: { name, sortedBy, isWide }, query }: { column: Column; query: ListQuery }) {
  const place = isWide === true ? 'wide-only' : '';
  if (sortedBy === undefined) {
    return (
      <th scope="col" class={place}>
        {name}
      </th>
    );
  }
  const isSorted = query.sort.endsWith(sortedBy);
  const isNewestFirst = isSorted && query.sort.startsWith('-');
  const sort: SortOrder = isNewestFirst ? sortedBy : `-${sortedBy}`;
  const order = isNewestFirst ? 'descending' : 'ascending';
  return (
    <th scope="col" class={place} aria-sort={isSorted ? order : 'none'}>
      <a class="sort" href={listHref({ ...query, sort, after: '' })}>
        {name}
        <span aria-hidden="true">{isSorted ? (isNewestFirst ? ' ↓' : ' ↑') : ' ↕'}</span>
      </a>
    </th>
  );
}
