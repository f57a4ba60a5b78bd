import type { Clock } from '../../../actors/ports/clock.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import { maxRetryWaitMs } from '../deliver/retry-schedule.ts';
import type { Failing } from '../stream/outbox-progress.ts';
import { joinRanges, type SeqRange, withoutRanges } from '../stream/seq-ranges.ts';

/** The events of one session that are to be delivered: ranges of its log, which are read again when their turn comes. */
export class SessionLane {
  readonly sessionId: string;
  /** Revisions of the first and the last event of each, in order; never none. */
  ranges: SeqRange[];
  /** How many events there are. */
  count: number;
  failing: Failing | undefined;
  /** When its next attempt is due, by the clock's `elapsed()`; undefined: now. */
  dueAt: number | undefined;
  /** The first event, if it has just been recorded. */
  first: RecordedSessionEvent | undefined;
  /** When the first event was recorded, milliseconds since 1970, if that is known. */
  recordedAt: number | undefined;

  constructor(sessionId: string, ranges: readonly SeqRange[], count: number, failing?: Failing) {
    this.sessionId = sessionId;
    this.ranges = ranges.map(([from, to]) => [from, to]);
    this.count = count;
    this.failing = failing;
  }

  /** For its turns. */
  get due(): { length: number } {
    return { length: this.count };
  }

  /** The range that comes first. */
  get next(): { from: number; to: number } {
    const [from, to] = this.ranges[0] as SeqRange;
    return { from, to };
  }
}

/**
 * Sessions with events that are to be delivered. More wait in the log: a checkpoint of as many fits into one event of
 * KurrentDB (1 MiB).
 */
const maxLanes = 8_000;

/** The sessions of which events are to be delivered, to one operators' webhook. */
export class SessionLanes {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #lanes = new Map<string, SessionLane>();
  #onRoom: (() => void) | undefined;
  #isOver = false;

  constructor(saved: Iterable<SessionLane>, clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
    for (const lane of saved) {
      this.#lanes.set(lane.sessionId, lane);
      if (lane.failing !== undefined) this.#wait(lane, lane.failing);
    }
  }

  get all(): Iterable<SessionLane> {
    return this.#lanes.values();
  }

  /** How many events are to be delivered. */
  get count(): number {
    let count = 0;
    for (const lane of this.#lanes.values()) count += lane.count;
    return count;
  }

  /** When the next attempt of a failed event is due, milliseconds since 1970; undefined if none waits. */
  get nextAttemptAt(): number | undefined {
    const elapsed = this.#clock.elapsed();
    let first = Infinity;
    for (const { dueAt } of this.#lanes.values())
      if (dueAt !== undefined) first = Math.min(first, Math.max(dueAt, elapsed));
    return first === Infinity ? undefined : Math.round(this.#clock.now() + first - elapsed);
  }

  get(sessionId: string): SessionLane | undefined {
    return this.#lanes.get(sessionId);
  }

  /** When the oldest of the events was recorded, milliseconds since 1970, as far as that is known. */
  get oldestAt(): number | undefined {
    let oldest = Infinity;
    for (const { recordedAt, failing } of this.#lanes.values())
      oldest = Math.min(oldest, recordedAt ?? failing?.since ?? Infinity);
    return oldest === Infinity ? undefined : oldest;
  }

  /** An event has been recorded. */
  add(sessionId: string, event: RecordedSessionEvent): SessionLane {
    const { revision } = event;
    const lane = this.#lanes.get(sessionId);
    if (lane !== undefined) {
      (lane.ranges.at(-1) as SeqRange)[1] = revision;
      lane.count += 1;
      return lane;
    }
    const begun = new SessionLane(sessionId, [[revision, revision]], 1);
    begun.first = event;
    begun.recordedAt = event.metadata.at;
    this.#lanes.set(sessionId, begun);
    return begun;
  }

  /** These events are to be delivered too. @param count how many there are */
  choose(sessionId: string, ranges: readonly SeqRange[], count: number): SessionLane {
    const lane = this.#lanes.get(sessionId) ?? new SessionLane(sessionId, [], 0);
    lane.ranges = joinRanges([...lane.ranges, ...ranges].map(([from, to]): SeqRange => [from, to]));
    lane.count += count;
    this.#lanes.set(sessionId, lane);
    return lane;
  }

  /** An event is done, and what lies before it since `from`. @param failing of the session, from now on */
  shift(lane: SessionLane, [from, revision]: SeqRange, failing: Failing | undefined): void {
    lane.count -= 1;
    lane.failing = failing;
    this.skip(lane, [from, revision]);
  }

  /** Nothing of this range is to be delivered any more. */
  skip(lane: SessionLane, range: SeqRange): void {
    lane.first = undefined;
    lane.recordedAt = undefined;
    lane.ranges = withoutRanges(lane.ranges, [range]);
    if (lane.ranges.length === 0) this.#drop(lane);
    else lane.count = Math.max(lane.count, 1);
  }

  /** Its first event waits for its next attempt. */
  putBack(lane: SessionLane, failing: Failing): void {
    lane.first = undefined;
    lane.failing = failing;
    this.#wait(lane, failing);
  }

  #drop(lane: SessionLane): void {
    lane.count = 0;
    this.#lanes.delete(lane.sessionId);
    if (this.#lanes.size < maxLanes) this.#onRoom?.();
  }

  /** Those whose next attempt has become due are free for it. */
  wake(isAll = false): void {
    const elapsed = this.#clock.elapsed();
    for (const lane of this.#lanes.values()) {
      if (lane.dueAt !== undefined && (isAll || lane.dueAt <= elapsed)) lane.dueAt = undefined;
    }
  }

  /** Resolves when another session has room, or after {@link end}. */
  async room(): Promise<void> {
    while (this.#lanes.size >= maxLanes && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
  }

  /** Nothing more is added. */
  end(): void {
    this.#isOver = true;
    this.#onRoom?.();
  }

  /** A wall clock that was set back while the gateway was down delays no attempt. */
  #wait(lane: SessionLane, { nextAt }: Failing): void {
    const waitMs = Math.min(Math.max(0, nextAt - this.#clock.now()), maxRetryWaitMs);
    lane.dueAt = this.#clock.elapsed() + waitMs;
  }
}

/** Of two times of which either may be unknown. */
export const earliest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
