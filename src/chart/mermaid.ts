import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';
import { innerTransitionLabels, transitionLabel } from './transition-label.ts';

/**
 * The chart as a Mermaid state diagram (https://mermaid.js.org/syntax/stateDiagram.html). The transitions that do not
 * leave a state stand inside its box: drawn as loops they would cover the labels of other arrows.
 */
export function mermaidChart(chart: Chart): string {
  const transitions = chart.transitions.flatMap((transition) => perState(transition, chart));
  const boxes = chart.states.flatMap(({ name }) => {
    const labels = innerTransitionLabels({ ...chart, transitions }, name);
    return labels.length === 0 ? [] : [name, ...labels].map((line) => `${name}: ${line}`);
  });
  const arrows = new Map<string, string[]>();
  for (const transition of transitions.filter(({ from, to }) => to !== 'same' && to !== from)) {
    const arrow = `${transition.from} --> ${transition.to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), transitionLabel(transition)]);
  }
  const lines = [
    ...boxes,
    `[*] --> ${chart.initial}`,
    ...[...arrows].map(([arrow, labels]) => `${arrow}: ${labels.join(', ')}`),
    ...chart.states.filter(({ isFinal }) => isFinal).map(({ name }) => `${name} --> [*]`),
  ];
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** Mermaid has no transition from any state: such a one is repeated for each state that is not final. */
function perState(transition: ChartTransition, { states }: Chart): ChartTransition[] {
  if (transition.from !== 'any') return [transition];
  return states.filter(({ isFinal }) => !isFinal).map(({ name }) => ({ ...transition, from: name }));
}
