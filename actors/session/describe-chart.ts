import type { AnyStateNode } from 'xstate';
import type { SessionFactType, SessionState } from './events.ts';
import { recordingActions, sessionLifecycle } from './lifecycle.ts';
import { sessionMachine } from './machine.ts';

/** The chart as plain JSON, for drawing, in the order of the chart. */
export interface Chart {
  id: string;
  initial: SessionState;
  states: ChartState[];
  transitions: ChartTransition[];
}

interface ChartState {
  name: SessionState;
  isFinal: boolean;
  /** Entry effects: `startQrLogin`. */
  entry: string[];
}

export interface ChartTransition {
  /** `any`: every state that is not final. */
  from: SessionState | 'any';
  /** The fact that it records: `LoggedIn`, `QrTimedOut`. */
  fact: SessionFactType;
  /** `same`: the fact is recorded; state and deadline stay. */
  to: SessionState | 'same';
  /** The guard: `isCurrent`. */
  guard?: string;
  /** The state's time limit in milliseconds, for a timed transition. */
  afterMs?: number;
  /** Transition effects: `logOut`. */
  actions: string[];
}

/** Describes the chart, read off the machine itself. */
export function describeChart(): Chart {
  const { root } = sessionMachine;
  const states = Object.values(root.states) as AnyStateNode[];
  return {
    id: sessionMachine.id,
    initial: root.initial.target[0]?.key as SessionState,
    states: states.map((node) => ({
      name: node.key as SessionState,
      isFinal: node.type === 'final',
      entry: namesOf(node.entry),
    })),
    transitions: [...states.flatMap((node) => transitionsOf(node)), ...transitionsOf(root as AnyStateNode, 'any')],
  };
}

function transitionsOf(
  node: AnyStateNode,
  from: ChartTransition['from'] = node.key as SessionState,
): ChartTransition[] {
  return [...node.transitions].flatMap(([event, transitions]) =>
    transitions.map(({ target, guard, actions, ...rest }) => {
      const delay = 'delay' in rest ? (rest.delay as string) : undefined;
      return {
        from,
        fact: delay === undefined ? (event as SessionFactType) : sessionLifecycle.timedFactOf(event),
        to: (target?.[0]?.key as SessionState | undefined) ?? 'same',
        ...(guard !== undefined && { guard: nameOf(guard) }),
        ...(delay !== undefined && { afterMs: delayOf(delay) }),
        actions: namesOf(actions),
      };
    }),
  );
}

/** A delay of the chart in milliseconds. @throws {Error} the chart has no such delay */
export function delayOf(name: string): number {
  const delay: unknown = (sessionMachine.implementations.delays as Record<string, unknown>)[name];
  if (typeof delay !== 'number') throw new Error(`the chart has no delay ${name}`);
  return delay;
}

/** Named actions, without XState's own and those about recording. */
const namesOf = (actions: readonly unknown[]): string[] =>
  actions.map(nameOf).filter((name) => name !== '' && !recordingActions.has(name));

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  return typeof named === 'object' && named !== null && 'type' in named ? String(named.type) : '';
}
