import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';

const msPerMinute = 60_000;

/** `LoggedIn`, or `QrTimedOut after 3 min`. */
export const transitionLabel = ({ fact, afterMs }: ChartTransition): string =>
  afterMs === undefined ? fact : `${fact} after ${afterMs / msPerMinute} min`;

/** Labels of the transitions that do not leave the state. `↻` marks those that restart it: its deadline begins anew. */
export const innerTransitionLabels = ({ transitions }: Chart, state: ChartTransition['from']): string[] =>
  transitions
    .filter(({ from, to }) => from === state && (to === 'same' || to === state))
    .map((transition) => `${transition.to === 'same' ? '' : '↻ '}${transitionLabel(transition)}`);
