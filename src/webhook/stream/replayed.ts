import type { OutboxProgress, Replay } from './outbox-progress.ts';
import { parkedRanges, withoutParked } from './parked.ts';
import { countOf, isWantedBy, placeKey } from './place-marks.ts';
import { deliveryFrom, findRevision, type ReadDeliveriesDeps } from './read-deliveries.ts';
import { rewind } from './rewind.ts';
import { countSeqs, cutRanges, firstSeq, joinRanges, type SeqRange, withoutRanges } from './seq-ranges.ts';

/** Which deliveries are to be made once more: all from a number on, or some of them. */
export type ReplayChoice = { from: number; to?: number | undefined } | { seqs: readonly number[] } | { parked: true };

/** Ranges whose deliveries are counted by looking up both ends. */
const maxLookedUp = 100;

/** The progress that sends the chosen events again. @throws {StoreUnavailableError} */
export function replayed(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  progress: OutboxProgress,
  choice: ReplayChoice,
): Promise<OutboxProgress> {
  if (!('from' in choice)) return chosen(deps, sessionId, progress, choice);
  const { from, to } = choice;
  return to === undefined ? rewind(deps, sessionId, progress, from) : chosen(deps, sessionId, progress, { from, to });
}

type SomeChoice = Exclude<ReplayChoice, { from: number }> | { from: number; to: number };

/**
 * The progress that makes the chosen deliveries once more, beside those that are pending; parked ones of them are no longer
 * parked. What is left of an earlier choice is made too.
 * @throws {StoreUnavailableError}
 */
async function chosen(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  progress: OutboxProgress,
  choice: SomeChoice,
): Promise<OutboxProgress> {
  const { upTo, replay, parked } = progress;
  const rest = replay === undefined ? [] : await restOf(deps, sessionId, replay);
  const wanted = cutRanges(rangesOf(choice, progress), 1, upTo.seq + 1);
  const ranges = joinRanges([...rest, ...wanted]);
  const first = firstSeq(ranges, 1);
  const [, last] = ranges.at(-1) ?? [];
  if (first === undefined || last === undefined) return progress;
  const place = (seq: number): Promise<number> =>
    findRevision(deps, sessionId, upTo.revision, ({ metadata }) => metadata.seq >= seq);
  const added = withoutRanges(wanted, rest);
  const count = countSeqs(rest) + (await counted(deps, sessionId, progress, added, place));
  return {
    ...progress,
    parked: withoutParked(parked, wanted),
    replay: {
      ranges,
      upTo: { seq: first - 1, revision: (await place(first)) - 1, count: 0 },
      chats: {},
      // A silent event with the last number does no harm.
      end: { seq: last, revision: Math.min((await place(last + 1)) - 1, upTo.revision), count },
    },
  };
}

function rangesOf(choice: SomeChoice, { parked }: OutboxProgress): SeqRange[] {
  if ('seqs' in choice) return joinRanges(choice.seqs.map((seq): SeqRange => [seq, seq]));
  if ('parked' in choice) return parkedRanges(parked);
  const { from, to } = choice;
  return from <= to ? [[from, to]] : [];
}

/** From the first one that may not have been made yet. */
async function restOf(deps: ReadDeliveriesDeps, sessionId: string, replay: Replay): Promise<SeqRange[]> {
  const { ranges, upTo, chats } = replay;
  const revision = Math.min(upTo.revision + 1, ...Object.values(chats).map(({ from }) => from));
  const event = await deliveryFrom(deps, sessionId, revision);
  return event === undefined ? [] : cutRanges(ranges, event.metadata.seq, Infinity);
}

/** How many of the numbers the webhook wants. Of parked ones, and of very many ranges, it is all. */
async function counted(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  { since, parked, upTo }: OutboxProgress,
  ranges: readonly SeqRange[],
  place: (seq: number) => Promise<number>,
): Promise<number> {
  const key = placeKey(since);
  const unknown = withoutRanges(ranges, parkedRanges(parked));
  const known = countSeqs(ranges) - countSeqs(unknown);
  if (unknown.length > maxLookedUp) return countSeqs(ranges);
  const countUpTo = async (seq: number): Promise<number> => {
    const revision = await place(seq + 1);
    const event = revision <= upTo.revision ? await deliveryFrom(deps, sessionId, revision) : undefined;
    if (event === undefined) return upTo.count ?? upTo.seq;
    return countOf(event, key) - (isWantedBy(event, key) ? 1 : 0);
  };
  let count = known;
  for (const [first, last] of unknown) count += (await countUpTo(last)) - (await countUpTo(first - 1));
  return count;
}
