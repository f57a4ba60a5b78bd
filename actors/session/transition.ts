import {
  type ActorScope,
  type AnyEventObject,
  createActor,
  type ExecutableActionsFrom,
  type SnapshotFrom,
} from 'xstate';
import { chartEventOf, isTimedFact, type TimedFact, timedFactOf } from './deadlines.ts';
import type { Effect, SessionContext, SessionFact, SessionState } from './events.ts';
import { sessionMachine } from './machine.ts';

/** What one fact does to a session. Sessions share them: nobody changes one. */
export interface Step {
  readonly to: SessionState;
  readonly context: SessionContext;
  /** Timed transitions that are armed by it, from now. */
  readonly armed: { fact: TimedFact; delayMs: number }[];
  readonly cancelled: TimedFact[];
  readonly effects: Effect[];
}

type Action = ExecutableActionsFrom<typeof sessionMachine>;

let collected: Action[] = [];

/**
 * XState's `transition()` builds an actor for every call, which is four fifths of its time. A chart that spawns nothing
 * can do with one that is never started.
 */
const scope = inertScope((action) => collected.push(action));

/** The first step of a session: `SessionCreated`. */
export function initialStep(): Step {
  collected = [];
  const next = sessionMachine.getInitialSnapshot(scope);
  return stepOf(next, collected);
}

/**
 * Steps that were asked for before, by all that the chart is told. Most sessions are in their first logins, and take
 * the same few steps: for them XState has answered already.
 */
const known = new Map<string, Step | undefined>();
const knownLogins = 16;

/** Where a fact leads from a state; undefined where it changes nothing and is not to be recorded. Pure. */
export function nextStep(from: SessionState, context: SessionContext, fact: SessionFact): Step | undefined {
  const about = 'login' in fact ? fact.login : undefined;
  if (context.login > knownLogins || (about ?? 0) > knownLogins) return compute(from, context, fact.type, about);
  const key = `${from} ${context.login} ${fact.type} ${about}`;
  let step = known.get(key);
  if (step === undefined && !known.has(key)) {
    step = compute(from, context, fact.type, about);
    known.set(key, step);
  }
  return step;
}

/** The chart is told no more of a fact than its type and its login: nothing else can make a difference. */
function compute(
  from: SessionState,
  context: SessionContext,
  type: SessionFact['type'],
  login: number | undefined,
): Step | undefined {
  if (from === 'deleted') return undefined;
  const current = sessionMachine.resolveState({ value: from, context });
  const event = { type: isTimedFact(type) ? chartEventOf(type) : type, login };
  collected = [];
  // Its delayed events have no place in the chart's own type: XState makes them itself.
  const next = sessionMachine.transition(current, event as AnyEventObject as SessionFact, scope);
  return next === current && collected.length === 0 ? undefined : stepOf(next, collected);
}

function stepOf(next: SnapshotFrom<typeof sessionMachine>, actions: readonly Action[]): Step {
  const { login } = next.context;
  const step = { to: next.value, context: Object.freeze({ login }), armed: [], cancelled: [], effects: [] };
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
