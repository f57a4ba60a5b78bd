import { joinRanges, type SeqRange, withoutRanges } from '../stream/seq-ranges.ts';
import { type DeliverSessionEventDeps, isToldOf, wantedEvents } from './deliver-session-event.ts';
import type { OperatorWebhook } from './operator-webhook.ts';
import type { ParkedEvent } from './place-codec.ts';

/** Which events are to be sent once more: numbers count in the log of the session, from 1. */
export type OperatorReplay =
  | { parked: true }
  | { session: string; seqs: readonly number[] }
  | { session: string; from: number; to?: number | undefined };

/** Sessions of which events are sent once more, at a time: as many as have parked events that are listed. */
export const maxReplayedSessions = 1_000;

/** Events of too many sessions are sent once more already. */
export class TooManyReplayedError extends Error {
  override name = 'TooManyReplayedError';
}

/** The webhook is told of no such session. */
export class UntoldSessionError extends Error {
  override name = 'UntoldSessionError';
}

/** Where a webhook is. */
interface OutboxPlace {
  parked: readonly ParkedEvent[];
  /** Position of the store up to which it has seen what is recorded. */
  upTo: bigint;
  /** The first revision of a session that is pending by itself. */
  before: (sessionId: string) => number;
  /** Revisions of a session that are sent once more already. */
  pending: (sessionId: string) => readonly SeqRange[];
}

interface ChosenEvents {
  sessionId: string;
  /** Revisions. */
  ranges: SeqRange[];
  count: number;
}

/**
 * The chosen events of which the webhook is told; without those that are pending already.
 * @throws {UntoldSessionError} {@link StoreUnavailableError}
 */
export async function chooseEvents(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  choice: OperatorReplay,
  place: OutboxPlace,
): Promise<ChosenEvents[]> {
  const chosen: ChosenEvents[] = [];
  for (const [sessionId, revisions] of rangesOf(deps, choice, place.parked)) {
    if ('session' in choice && !isToldOf(deps, webhook, sessionId)) throw new UntoldSessionError(sessionId);
    const added = withoutRanges(joinRanges(revisions), place.pending(sessionId));
    const ranges: SeqRange[] = [];
    for (const [from, to] of added) {
      for await (const { event } of wantedEvents(deps, webhook, sessionId, { from, to })) {
        if (event.position <= place.upTo && event.revision < place.before(sessionId))
          ranges.push([event.revision, event.revision]);
      }
    }
    if (ranges.length > 0) chosen.push({ sessionId, ranges: joinRanges(ranges), count: ranges.length });
  }
  return chosen;
}

/** Whether an event that was given up is among them. */
export const isChosen = (chosen: readonly ChosenEvents[], { session, seq }: ParkedEvent): boolean =>
  chosen.some(
    ({ sessionId, ranges }) => sessionId === session && ranges.some(([from, to]) => from < seq && seq <= to + 1),
  );

function rangesOf(
  { views }: Pick<DeliverSessionEventDeps, 'views'>,
  choice: OperatorReplay,
  parked: readonly ParkedEvent[],
): Map<string, SeqRange[]> {
  if ('seqs' in choice) return new Map([[choice.session, choice.seqs.map((seq): SeqRange => [seq - 1, seq - 1])]]);
  if ('from' in choice) {
    const { session, from, to = Infinity } = choice;
    return new Map([[session, [[from - 1, Math.min(to - 1, views.get(session)?.revision ?? 0)]]]]);
  }
  const ranges = new Map<string, SeqRange[]>();
  for (const { session, seq } of parked) ranges.set(session, [...(ranges.get(session) ?? []), [seq - 1, seq - 1]]);
  return ranges;
}
