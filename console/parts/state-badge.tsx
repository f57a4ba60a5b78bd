import { stateName } from './format.ts';

/** A state as a coloured label. The colour adds nothing to the text. */
export function StateBadge({ state }: { state: string }) {
  return <span class={`badge ${state}`}>{stateName(state)}</span>;
}
