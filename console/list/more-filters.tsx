import type { ListQuery } from './list-query.ts';
import { SearchField } from './search-field.tsx';

const names = { label: 'Label', externalId: 'External ID', tenant: 'Tenant' } as const;
const fields = Object.entries(names) as [keyof typeof names, string][];

/** Only the sessions with exactly these names. */
export function MoreFilters({
  query,
  onChange,
}: {
  query: ListQuery;
  onChange: (changed: Partial<ListQuery>) => void;
}) {
  return (
    <details class="more-filters" open={fields.some(([name]) => query[name] !== '')}>
      <summary>Exactly this label, external ID or tenant</summary>
      <div class="filter-fields">
        {fields.map(([name, label]) => (
          <SearchField
            key={name}
            label={`Exactly this ${label}`}
            value={query[name]}
            onSearch={(text) => onChange({ [name]: text })}
          />
        ))}
      </div>
    </details>
  );
}
