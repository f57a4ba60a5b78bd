import type { Json } from '../ports/event-store.ts';
import { delayOf, describeChart } from './describe-chart.ts';
import type { SessionContext, SessionFactType, SessionState } from './events.ts';
import { sessionLifecycle } from './lifecycle.ts';
import { sessionMachine } from './machine.ts';

/** The chart in the protocol of Stately's tools. */

/** The config of the machine as JSON: functions left out, delays in milliseconds. */
export function statelyDefinition(): Record<string, Json> {
  return withDelays(JSON.parse(JSON.stringify(sessionMachine.config)) as Record<string, Json>) as Record<string, Json>;
}

/** Replaces the name of each delay by its milliseconds. */
function withDelays(node: Json | undefined): Json {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node ?? null;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === 'after'
        ? Object.fromEntries(Object.entries(value as object).map(([delay, then]) => [delayOf(delay), then as Json]))
        : withDelays(value),
    ]),
  );
}

/** The snapshot that an XState actor of the chart has in this state. */
export function statelySnapshot(state: SessionState, context: SessionContext): Record<string, Json> {
  return JSON.parse(JSON.stringify(sessionMachine.resolveState({ value: state, context }))) as Record<string, Json>;
}

const stately = new Map(
  describeChart().transitions.flatMap(({ from, fact, afterMs }) => {
    const event = from === 'any' ? undefined : sessionLifecycle.chartEventOf(fact, from);
    return event === undefined ? [] : ([[fact, event.replace(/\.after\.\w+\./, `.after.${afterMs}.`)]] as const);
  }),
);

/** The name that an XState actor has for an event that the log calls by its fact. */
export function statelyEventType(fact: SessionFactType): string {
  return fact === 'SessionCreated' ? 'xstate.init' : (stately.get(fact) ?? fact);
}
