import type { Deadline } from './events.ts';

export type TimedFact = Deadline['fact'];

/** The chart's own name for each `after`, which XState sends to itself where it runs the timers. */
const chartEvents: Record<TimedFact, string> = {
  QrTimedOut: 'xstate.after.QR_TTL.session.qrPending',
  PasswordTimedOut: 'xstate.after.PASSWORD_TTL.session.passwordRequired',
  DisconnectedTimedOut: 'xstate.after.DISCONNECTED_TTL.session.disconnected',
};

export const timedFacts = Object.keys(chartEvents) as TimedFact[];

const factsByChartEvent = new Map(timedFacts.map((fact) => [chartEvents[fact], fact]));

export function isTimedFact(type: string): type is TimedFact {
  return Object.hasOwn(chartEvents, type);
}

/** What the chart must be sent so that the timed transition happens. */
export function chartEventOf(fact: TimedFact): string {
  return chartEvents[fact];
}

/** What is recorded when the chart's delayed event with this ID happens. */
export function timedFactOf(chartEvent: string): TimedFact {
  const fact = factsByChartEvent.get(chartEvent);
  if (fact === undefined) throw new Error(`the chart has a timed transition without a name: ${chartEvent}`);
  return fact;
}

/** The deadline that comes first. */
export function nextDeadline(deadlines: readonly Deadline[]): Deadline | undefined {
  let first: Deadline | undefined;
  for (const deadline of deadlines) if (first === undefined || deadline.dueAt < first.dueAt) first = deadline;
  return first;
}
