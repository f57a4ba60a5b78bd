import { stateName } from '../parts/format.ts';
import { type StateFilter, stateFilters } from './list-query.ts';

export type StateCounts = Readonly<Partial<Record<StateFilter, number>>>;

interface Props {
  /** Tells the radio buttons of two such choices on one page apart. */
  name: string;
  value: StateFilter;
  /** Of the sessions in each state; undefined until they are known. */
  counts: StateCounts | undefined;
  onChange: (state: StateFilter) => void;
}

const nameOf = (state: StateFilter): string => {
  if (state === 'live') return 'Live';
  return state === 'any' ? 'All' : stateName(state);
};

/** The states of the sessions to show, one at a time. */
export function StateChoice({ name, value, counts, onChange }: Props) {
  return (
    <fieldset class="filters">
      <legend class="visually-hidden">Filter by state</legend>
      {stateFilters.map((state) => (
        <label key={state} class="chip">
          <input type="radio" name={name} checked={value === state} onChange={() => onChange(state)} />
          <span>
            {nameOf(state)} {counts !== undefined && <span class="count">{counts[state] ?? 0}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
