import type { Chart } from '../../actors/session/describe-chart.ts';

/** What the machine says of itself. The build puts it in here: to ask takes XState, of which the page has no other use. */
declare const SESSION_CHART: Chart;

export const sessionChart: Chart = SESSION_CHART;
