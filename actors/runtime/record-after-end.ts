import type { LightAbortSignal } from '../kit/light-abort.ts';
import { type RetryDeps, retry } from '../kit/retry.ts';
import { storeAway } from '../kit/retry-policy.ts';
import { SingleWriter, type SingleWriterDeps } from '../kit/single-writer.ts';
import type { Clock, Randomness } from '../ports/clock.ts';
import { isUnreadable } from '../ports/event-codec.ts';
import { WrongExpectedRevisionError } from '../ports/event-store.ts';
import { type SessionFact, sessionStream } from '../session/events.ts';
import { type Lifecycle, sessionLifecycle } from '../session/lifecycle.ts';
import { createSessionCodec, sessionCodec } from '../session/session-codec.ts';
import { type SessionEvent, sessionEvent, transitionMetadata } from '../session/transition-event.ts';

export interface RecordAfterEndDeps extends SingleWriterDeps, RetryDeps {
  clock: Clock;
  random: Randomness;
  /** Name of this process, recorded with the event. */
  node: string;
  lifecycle?: Lifecycle | undefined;
}

/**
 * Records a fact about a deleted session, which has no actor any more, however long the store is away. Nothing is
 * recorded if the chart does not take the fact, if it is recorded already, or if the session's log is gone.
 * @throws the signal's reason
 */
export async function recordAfterEnd(
  deps: RecordAfterEndDeps,
  sessionId: string,
  fact: SessionFact,
  signal: LightAbortSignal,
): Promise<void> {
  await retry(deps, storeAway, () => recordOnce(deps, sessionId, fact), signal);
}

async function recordOnce(deps: RecordAfterEndDeps, sessionId: string, fact: SessionFact): Promise<void> {
  const { lifecycle = sessionLifecycle } = deps;
  const stream = sessionStream(sessionId);
  const last = await deps.store.last(stream);
  // A try before this one may have been recorded.
  if (last === undefined || last.type === fact.type) return;
  const event = (lifecycle === sessionLifecycle ? sessionCodec : createSessionCodec(lifecycle)).decode(last);
  if (isUnreadable(event)) return;
  const before = event.metadata;
  const step = lifecycle.nextStep(before.to, before.context, fact);
  if (step === undefined) return;
  const author = fact.type === 'LoggedOut' ? 'telegram' : 'gateway';
  const metadata = transitionMetadata(before, fact, step, { at: deps.clock.now(), by: deps.node, author });
  const writer = new SingleWriter<SessionEvent>(deps, { stream, revision: event.revision });
  try {
    await writer.write([sessionEvent(deps.random.uuid(), fact, metadata)]);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevisionError)) throw error;
    // Another writer was first: what the stream says now decides.
    await recordOnce(deps, sessionId, fact);
  }
}
