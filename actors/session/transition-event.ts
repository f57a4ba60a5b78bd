import type { Json, NewEvent } from '../ports/event-store.ts';
import type { Sealed } from '../ports/sealer.ts';
import type { Deadline, Effect, SessionFact, TransitionMetadata } from './events.ts';
import type { Lifecycle, Step } from './lifecycle.ts';
import { type SessionEventContent, sessionCodec } from './session-codec.ts';

export interface RecordingDetails {
  /** Milliseconds since 1970. */
  at: number;
  /** Which node records it. */
  by: string;
  /** Who caused it. */
  author?: string | undefined;
}

/** A session's event with its parts typed. */
export interface SessionEvent extends NewEvent {
  type: SessionFact['type'];
  metadata: Json & TransitionMetadata;
}

/** The event that records a fact and the session's state after it. */
export function sessionEvent(id: string, fact: SessionFact, metadata: TransitionMetadata): SessionEvent {
  const { type, ...rest } = fact;
  // Interfaces have no index signature, but all of this is JSON.
  return { id, type, data: rest as Json, metadata: sessionCodec.stamp(metadata) as Json & TransitionMetadata };
}

/**
 * The events that record facts one after the other. A fact that changes nothing gets none.
 * @param before metadata of the event before them; undefined: they are a session's first
 */
export function sessionEvents(
  lifecycle: Pick<Lifecycle, 'initialStep' | 'nextStep'>,
  before: TransitionMetadata | undefined,
  facts: SessionFact | readonly SessionFact[] | undefined,
  ids: { first: string; next: () => string },
  details: RecordingDetails,
): SessionEvent[] {
  const events: SessionEvent[] = [];
  for (const fact of [facts ?? []].flat()) {
    const last = events.at(-1)?.metadata ?? before;
    const step = last === undefined ? lifecycle.initialStep() : lifecycle.nextStep(last.to, last.context, fact);
    if (step === undefined) continue;
    const id = events.length === 0 ? ids.first : ids.next();
    events.push(sessionEvent(id, fact, transitionMetadata(last, fact, step, details)));
  }
  return events;
}

/** The effects of events that were recorded together: those of a state that was left at once are not run. */
export function effectsOfAll(events: readonly SessionEvent[]): Effect[] {
  const lastChange = events.findLastIndex(({ metadata: { from, to } }) => from !== to);
  return events.slice(lastChange).flatMap(({ metadata }) => metadata.effects);
}

/** The metadata of the next event, from that of the event before it (undefined for the first). */
export function transitionMetadata(
  before: TransitionMetadata | undefined,
  fact: SessionFact,
  step: Step,
  { at, by, author }: RecordingDetails,
): TransitionMetadata {
  const metadata: TransitionMetadata = {
    at,
    by,
    ...(author !== undefined && { author }),
    from: before?.to ?? null,
    to: step.to,
    // Stryker disable next-line ConditionalExpression: the first step enters its state
    since: before === undefined || step.entered ? at : before.since,
    // Stryker disable next-line ConditionalExpression: the first step enters its state
    reason: before === undefined || step.entered || step.explains ? reasonOf(fact) : before.reason,
    context: step.context,
    ...proxyAfter(before?.proxy, fact),
    ...epochAfter(before?.epoch, fact),
    deadlines: deadlinesAfter(before?.deadlines ?? [], step, at),
    effects: [...step.effects],
  };
  const due = before?.deadlines.find(({ fact: name }) => name === fact.type);
  if (due !== undefined) metadata.lateMs = at - due.dueAt;
  return metadata;
}

/** The session's proxy after a fact; a field that is absent if it has none. */
function proxyAfter(before: Sealed | undefined, fact: SessionFact): { proxy?: Sealed } {
  const proxy = fact.type === 'ProxySet' ? fact.url : before;
  return proxy ? { proxy } : {};
}

/** The epoch of the session's owner after a fact; a field that is absent if it never had one. */
function epochAfter(before: number | undefined, fact: SessionFact): { epoch?: number } {
  const epoch = fact.type === 'OwnerChanged' ? fact.epoch : before;
  return epoch === undefined ? {} : { epoch };
}

function deadlinesAfter(before: readonly Deadline[], { cancelled, armed }: Step, at: number): Deadline[] {
  return [
    ...before.filter(({ fact }) => !cancelled.includes(fact)),
    ...armed.map(({ fact, delayMs }) => ({ fact, dueAt: at + delayMs })),
  ];
}

/** Reasons by the type of their fact: those that are not its name, and each other once it was derived. */
const reasons = new Map<SessionFact['type'], string>([
  ['SessionCreated', 'created'],
  ['GatewayRestarted', 'gateway-restart'],
  ['SessionReset', 'reset'],
  ['SessionDeleted', 'user'],
  ['CodesUsedUp', 'code-timeout'],
]);

/** Telegram's own reason, or the fact's name in lower case: `LoggedIn` is `logged-in`, `QrTimedOut` is `qr-timeout`. */
function reasonOf(fact: SessionFact): string {
  if ('reason' in fact && fact.reason !== undefined) return fact.reason;
  let reason = reasons.get(fact.type);
  if (reason === undefined) {
    // Stryker disable next-line Regex: no name has it elsewhere
    const name = fact.type.replace(/TimedOut$/, 'Timeout').replaceAll(/(?<=.)[A-Z]/g, '-$&');
    reason = name.toLowerCase();
    reasons.set(fact.type, reason);
  }
  return reason;
}

/** The fact inside an event of a session. */
export function factOf({ type, data }: Pick<SessionEventContent, 'type' | 'data'>): SessionFact {
  return { ...data, type } as SessionFact;
}
