import { stateName } from './format.ts';

/** A state as a coloured word; the colour says nothing that the word doesn't. */
export function Badge({ state }: { state: string }) {
  return <span class={`badge ${state}`}>{stateName(state)}</span>;
}
