import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';
import { labelOf } from './words.ts';

/** All that leads from one state to one other, or back to itself. */
export interface Arrow {
  from: ChartTransition['from'];
  to: ChartTransition['from'];
  /** One a transition: `LoggedIn`, `QrTimedOut after 3 min`. */
  labels: string[];
}

/** The chart's transitions as arrows, in the order of the chart. */
export function arrowsOf({ transitions }: Chart): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const transition of transitions) {
    const { from } = transition;
    const to = transition.to === 'same' ? from : transition.to;
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, labels: [] };
    arrow.labels.push(labelOf(transition));
    arrows.set(`${from} ${to}`, arrow);
  }
  return [...arrows.values()];
}
