import type { AnyStateNode } from 'xstate';
import type { SessionFactType, SessionState } from './events.ts';
import { sessionLifecycle } from './lifecycle.ts';
import { sessionMachine } from './machine.ts';

/** The chart as something to draw: plain JSON, in the order of the chart. */
export interface Chart {
  id: string;
  initial: SessionState;
  states: ChartState[];
  transitions: ChartTransition[];
}

interface ChartState {
  name: SessionState;
  isFinal: boolean;
  /** What is done on coming in: `startQrLogin`. */
  entry: string[];
}

export interface ChartTransition {
  /** `any`: every state that is not final. */
  from: SessionState | 'any';
  /** What is recorded when it happens: `LoggedIn`, `QrTimedOut`. */
  fact: SessionFactType;
  /** `same`: it is recorded, and state and deadline stay. */
  to: SessionState | 'same';
  /** Holds only where this is so: `isCurrent`. */
  guard?: string;
  /** It happens by itself when the state has lasted so long. */
  afterMs?: number;
  /** What is done on the way: `logOut`. */
  actions: string[];
}

/** What the chart says, read off the machine itself. */
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

/** Milliseconds of one of the chart's delays. @throws where the chart has no such one */
export function delayOf(name: string): number {
  const delay: unknown = (sessionMachine.implementations.delays as Record<string, unknown>)[name];
  if (typeof delay !== 'number') throw new Error(`the chart has no delay ${name}`);
  return delay;
}

/** Without what XState itself does, which has no name, and the mark that nothing is to be done. */
const namesOf = (actions: readonly unknown[]): string[] =>
  actions.map(nameOf).filter((name) => name !== '' && name !== 'record');

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  return typeof named === 'object' && named !== null && 'type' in named ? String(named.type) : '';
}
