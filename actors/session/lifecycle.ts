import { type AnyStateMachine, type AnyStateNode, initialTransition, transition } from 'xstate';
import type { Effect, SessionContext, SessionFact, SessionState, TimedFact } from './events.ts';
import { sessionMachine } from './machine.ts';

/** What one fact does to a session. Steps are shared between sessions and never changed. */
export interface Step {
  readonly to: SessionState;
  readonly context: SessionContext;
  /** Whether the chart enters `to`: false for a fact that is recorded while the state and its deadline stay. */
  readonly entered: boolean;
  /** Whether the fact says why the session is in `to`, which it had entered before. */
  readonly explains: boolean;
  /** Deadlines that start now. */
  readonly armed: readonly { fact: TimedFact; delayMs: number }[];
  readonly cancelled: readonly TimedFact[];
  readonly effects: readonly Effect[];
}

/** Every decision about states, read off a chart: nothing outside it decides what a state means. */
export interface Lifecycle {
  /** In the order of the chart. */
  readonly states: readonly SessionState[];
  /** What its deadlines record when they pass. */
  readonly timedFacts: readonly TimedFact[];
  /** The names of all its effects. */
  readonly effectTypes: readonly Effect['type'][];
  /** Whether no fact leads out of the state. Facts about the end itself are recorded there. */
  readonly isFinal: (state: SessionState) => boolean;
  /** The effects of entering a state: what must be in progress for as long as it lasts. */
  readonly entryEffects: (state: SessionState, context: SessionContext) => Effect[];
  /** The step of a session's first fact, `SessionCreated`. */
  readonly initialStep: () => Step;
  /** Where a fact leads from a state; undefined if it changes nothing and must not be recorded. Pure. */
  readonly nextStep: (from: SessionState, context: SessionContext, fact: SessionFact) => Step | undefined;
  /** The fact that is recorded when the chart's delayed event with this name happens. @throws {Error} no such event */
  readonly timedFactOf: (chartEvent: string) => TimedFact;
  /** The chart's delayed event that a timed fact stands for in a state; undefined for every other fact and state. */
  readonly chartEventOf: (fact: string, state: SessionState) => string | undefined;
}

/** The lifecycle of a session, as {@link sessionMachine} draws it. */
export const sessionLifecycle = readLifecycle(sessionMachine);

/**
 * Reads the decisions off a machine that is built like {@link sessionMachine}: a flat chart; its effects are the named
 * actions that carry parameters; a transition that stays where it is has the action `record`, and `explain` if its fact is
 * the state's reason from then on.
 */
export function readLifecycle(machine: AnyStateMachine): Lifecycle {
  const nodes = machine.states as Record<string, AnyStateNode>;
  const delayed = Object.values(nodes).flatMap((node) =>
    node.after.map(({ eventType, delay }) => ({ chartEvent: eventType, state: node.key, fact: timedFactNamed(delay) })),
  );
  const factsByEvent = new Map(delayed.map(({ chartEvent, fact }) => [chartEvent, fact]));
  const eventsByFact = new Map(delayed.map(({ chartEvent, state, fact }) => [`${state} ${fact}`, chartEvent]));

  const timedFactOf = (chartEvent: string): TimedFact => {
    const fact = factsByEvent.get(chartEvent);
    if (fact === undefined) throw new Error(`the chart has no delayed event ${chartEvent}`);
    return fact;
  };
  const chartEventOf: Lifecycle['chartEventOf'] = (fact, state) => eventsByFact.get(`${state} ${fact}`);
  // Stryker disable next-line OptionalChaining: the chart has every state
  const isFinal = (state: SessionState): boolean => nodes[state]?.type === 'final';
  const compute: Lifecycle['nextStep'] = (from, context, fact) => {
    if (isFinal(from)) return afterEnd(nodes[from], context, fact.type);
    const login = 'login' in fact ? fact.login : undefined;
    const event = { type: chartEventOf(fact.type, from) ?? fact.type, login };
    const current = machine.resolveState({ value: from, context });
    const [next, actions] = transition(machine, current, event);
    return next === current && actions.length === 0 ? undefined : stepOf(next, actions, timedFactOf);
  };

  return {
    states: Object.keys(nodes) as SessionState[],
    timedFacts: [...new Set(delayed.map(({ fact }) => fact))],
    effectTypes: effectTypesOf(machine),
    isFinal,
    // Stryker disable next-line OptionalChaining,ArrayDeclaration: the chart has every state
    entryEffects: (state, context) => (nodes[state]?.entry ?? []).flatMap((action) => effectsOf(action, context)),
    initialStep: () => stepOf(...initialTransition(machine), timedFactOf),
    nextStep: memoised(compute),
    timedFactOf,
    chartEventOf,
  };
}

/** A state's deadline `QR_TTL` is recorded as `QrTimedOut` when it passes. */
function timedFactNamed(delay: unknown): TimedFact {
  const words = String(delay).replace(/_TTL$/, '').toLowerCase().split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}TimedOut` as TimedFact;
}

/**
 * XState's `transition()` takes about 20 µs. Nearly all sessions take the same few steps in their first logins, and the
 * chart sees nothing of a fact but its type and whether it is about the current login: these steps are kept.
 */
function memoised(compute: Lifecycle['nextStep']): Lifecycle['nextStep'] {
  const known = new Map<string, Step | undefined>();
  return (from, context, fact) => {
    // Stryker disable next-line all: what is kept is what would be computed
    if (context.login > maxMemoisedLogin) return compute(from, context, fact);
    const about = 'login' in fact ? fact.login === context.login : 'any';
    const key = `${from} ${context.login} ${fact.type} ${about}`;
    let step = known.get(key);
    if (step === undefined && !known.has(key)) {
      step = compute(from, context, fact);
      known.set(key, step);
    }
    return step;
  };
}

const maxMemoisedLogin = 16;

/** A final state stays as it is: its own transitions only record. XState takes no event there. */
function afterEnd(node: AnyStateNode | undefined, context: SessionContext, fact: string): Step | undefined {
  // Stryker disable next-line OptionalChaining: the chart has every state
  if (node?.transitions.has(fact) !== true) return undefined;
  const to = node.key as SessionState;
  const { login } = context;
  return {
    to,
    context: Object.freeze({ login }),
    entered: false,
    explains: false,
    armed: [],
    cancelled: [],
    effects: [],
  };
}

/** They say how a fact is recorded, and are no effects. */
export const recordingActions: ReadonlySet<string> = new Set(['record', 'explain']);

interface ChartAction {
  type: string;
  params: unknown;
}

function stepOf(
  next: { value: unknown; context: unknown },
  actions: readonly ChartAction[],
  timedFactOf: Lifecycle['timedFactOf'],
): Step {
  const named = (type: string): ChartAction[] => actions.filter((action) => action.type === type);
  const { login } = next.context as SessionContext;
  return {
    to: next.value as SessionState,
    context: Object.freeze({ login }),
    entered: named('record').length === 0,
    explains: named('explain').length > 0,
    armed: named('xstate.raise').map(({ params }) => {
      const { id, delay } = params as { id: string; delay: number };
      return { fact: timedFactOf(id), delayMs: delay };
    }),
    cancelled: named('xstate.cancel').map(({ params }) => timedFactOf((params as { sendId: string }).sendId)),
    effects: actions
      .filter(({ type }) => !recordingActions.has(type) && !type.startsWith('xstate.'))
      .map(({ type, params }) => ({ type: type as Effect['type'], ...(params as { login: number }) })),
  };
}

/** The names of the actions with parameters, wherever the chart has them. */
function effectTypesOf({ root }: AnyStateMachine): Effect['type'][] {
  const nodes = [root, ...Object.values(root.states)] as AnyStateNode[];
  const actions = nodes.flatMap((node) => [
    ...node.entry,
    ...[...node.transitions.values()].flat().flatMap((transitions) => transitions.actions),
  ]);
  return [...new Set(actions.flatMap((action) => effectsOf(action, { login: 1 })).map(({ type }) => type))];
}

/** The effect that an entry action of the chart names; none for an action without parameters. */
function effectsOf(action: unknown, context: SessionContext): Effect[] {
  if (typeof action !== 'object' || action === null || !('params' in action)) return [];
  const { type, params } = action as { type: string; params: unknown };
  const given: unknown = typeof params === 'function' ? params({ context }) : params;
  return [{ type: type as Effect['type'], ...(given as { login: number }) }];
}
