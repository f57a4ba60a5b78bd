import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';
import { arrowsOf } from './arrows.ts';

/** The chart as a Mermaid state diagram (https://mermaid.js.org/syntax/stateDiagram.html). */
export function mermaidChart(chart: Chart): string {
  const lines = arrowsOf({ ...chart, transitions: chart.transitions.flatMap((one) => spelledOut(one, chart)) }).map(
    ({ from, to, labels }) => `${from} --> ${to}: ${labels.join(', ')}`,
  );
  const finals = chart.states.filter(({ isFinal }) => isFinal).map(({ name }) => `${name} --> [*]`);
  return ['stateDiagram-v2', ...[`[*] --> ${chart.initial}`, ...lines, ...finals].map((line) => `  ${line}`), ''].join(
    '\n',
  );
}

/** Mermaid has no arrow from any state: there is one from each. */
function spelledOut(transition: ChartTransition, { states }: Chart): ChartTransition[] {
  if (transition.from !== 'any') return [transition];
  return states.filter(({ isFinal }) => !isFinal).map(({ name }) => ({ ...transition, from: name }));
}
