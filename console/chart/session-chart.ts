import type { Chart } from '../../actors/session/describe-chart.ts';

/** The description of the session's state machine. The build inserts it, so that the page does without XState. */
declare const SESSION_CHART: Chart;

export const sessionChart: Chart = SESSION_CHART;
