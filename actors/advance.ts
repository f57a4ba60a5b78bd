import {
  type ActorScope,
  type AnyEventObject,
  createActor,
  type ExecutableActionsFrom,
  type SnapshotFrom,
} from 'xstate';
import { chartEventOf, isTimedFact, type TimedFact, timedFactOf } from './deadlines.ts';
import type { Effect, SessionContext, SessionFact, SessionState } from './session-events.ts';
import { sessionMachine } from './session-machine.ts';

/** What one fact does to a session. */
export interface Step {
  to: SessionState;
  context: SessionContext;
  /** Timed transitions that are armed by it, from now. */
  armed: { fact: TimedFact; delayMs: number }[];
  cancelled: TimedFact[];
  effects: Effect[];
}

type Action = ExecutableActionsFrom<typeof sessionMachine>;

let collected: Action[] = [];

/**
 * XState's `transition()` builds an actor for every call, which is four fifths of its time. A chart that spawns nothing
 * can do with one that is never started.
 */
const scope = inertScope((action) => collected.push(action));

/** The first step of a session: `SessionCreated`. */
export function begin(): Step {
  collected = [];
  const next = sessionMachine.getInitialSnapshot(scope);
  return stepOf(next, collected);
}

/** Where a fact leads from a state; undefined where it changes nothing and is not to be recorded. Pure. */
export function advance(from: SessionState, context: SessionContext, fact: SessionFact): Step | undefined {
  if (from === 'deleted') return undefined;
  const current = sessionMachine.resolveState({ value: from, context });
  collected = [];
  const next = sessionMachine.transition(current, chartEvent(fact), scope);
  return next === current && collected.length === 0 ? undefined : stepOf(next, collected);
}

function chartEvent(fact: SessionFact): SessionFact {
  // The chart's delayed events have no place in its type: XState makes them itself.
  return isTimedFact(fact.type) ? ({ type: chartEventOf(fact.type) } as AnyEventObject as SessionFact) : fact;
}

function stepOf(next: SnapshotFrom<typeof sessionMachine>, actions: readonly Action[]): Step {
  const step: Step = { to: next.value, context: next.context, armed: [], cancelled: [], effects: [] };
  for (const action of actions) collect(step, action);
  return step;
}

function collect(step: Step, { type, params }: { type: string; params: unknown }): void {
  switch (type) {
    case 'xstate.raise': {
      const raised = params as { id: string; delay: number };
      step.armed.push({ fact: timedFactOf(raised.id), delayMs: raised.delay });
      return;
    }
    case 'xstate.cancel':
      step.cancelled.push(timedFactOf((params as { sendId: string }).sendId));
      return;
    case 'keep':
      return;
    default:
      step.effects.push({ type: type as Effect['type'], login: (params as { login: number }).login });
  }
}

type Scope = ActorScope<SnapshotFrom<typeof sessionMachine>, SessionFact>;

function inertScope(onAction: (action: Action) => void): Scope {
  const self = createActor(sessionMachine);
  return {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: (action) => onAction(action as Action),
  } as Scope;
}
