import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';

const msPerMinute = 60_000;

/** `LoggedIn`, `QrTimedOut after 3 min`. */
export const labelOf = ({ fact, afterMs }: ChartTransition): string =>
  afterMs === undefined ? fact : `${fact} after ${afterMs / msPerMinute} min`;

/** What is recorded in a state and does not leave it; `↻` where the state begins anew. */
export const keptIn = ({ transitions }: Chart, name: ChartTransition['from']): string[] =>
  transitions
    .filter(({ from, to }) => from === name && (to === 'same' || to === name))
    .map((transition) => `${transition.to === 'same' ? '' : '↻ '}${labelOf(transition)}`);

/** What is done on coming into a state: `entry / connect`. */
export const entriesOf = ({ states }: Chart, name: ChartTransition['from']): string[] =>
  (states.find((state) => state.name === name)?.entry ?? []).map((action) => `entry / ${action}`);
