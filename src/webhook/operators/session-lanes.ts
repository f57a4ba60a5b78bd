import type { Clock } from '../../../actors/ports/clock.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import { maxRetryWaitMs } from '../deliver/retry-schedule.ts';
import type { Failing } from '../stream/outbox-progress.ts';
import type { SessionBehind } from './place-codec.ts';

/** The events of one session that are to be delivered: a range of its log, which is read again when its turn comes. */
export class SessionLane {
  readonly sessionId: string;
  /** Revisions of the first and the last of these events. */
  from: number;
  to: number;
  /** How many there are. */
  count: number;
  failing: Failing | undefined;
  /** When its next attempt is due, by the clock's `elapsed()`; undefined: now. */
  dueAt: number | undefined;
  /** The first event, if it has just been recorded. */
  first: RecordedSessionEvent | undefined;

  constructor(sessionId: string, { from, to, count, failing }: SessionBehind) {
    this.sessionId = sessionId;
    this.from = from;
    this.to = to;
    this.count = count;
    this.failing = failing;
  }

  /** For its turns. */
  get due(): { length: number } {
    return { length: this.count };
  }
}

/**
 * Sessions with events that are to be delivered. More wait in the log: a checkpoint of as many fits into one event of
 * KurrentDB (1 MiB).
 */
const maxLanes = 8_000;

/** The sessions that are behind, of one operators' webhook. */
export class SessionLanes {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #lanes = new Map<string, SessionLane>();
  #onRoom: (() => void) | undefined;
  #isOver = false;

  constructor(behind: Readonly<Record<string, SessionBehind>>, clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
    for (const [sessionId, one] of Object.entries(behind)) {
      const lane = new SessionLane(sessionId, one);
      this.#lanes.set(sessionId, lane);
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

  /** An event has been recorded. */
  add(sessionId: string, event: RecordedSessionEvent): SessionLane {
    const { revision } = event;
    let lane = this.#lanes.get(sessionId);
    if (lane === undefined) {
      lane = new SessionLane(sessionId, { from: revision, to: revision, count: 0 });
      lane.first = event;
      this.#lanes.set(sessionId, lane);
    }
    lane.to = revision;
    lane.count += 1;
    return lane;
  }

  /** Its first event is done. @param failing of the session, from now on */
  shift(lane: SessionLane, revision: number, failing: Failing | undefined): void {
    lane.first = undefined;
    lane.from = revision + 1;
    lane.count -= 1;
    lane.failing = failing;
    if (lane.from > lane.to || lane.count <= 0) this.drop(lane);
  }

  /** Its first event waits for its next attempt. */
  putBack(lane: SessionLane, failing: Failing): void {
    lane.first = undefined;
    lane.failing = failing;
    this.#wait(lane, failing);
  }

  /** It has nothing left to be delivered. */
  drop(lane: SessionLane): void {
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

  /** For the checkpoint. */
  behind(): Record<string, SessionBehind> {
    return Object.fromEntries(
      Array.from(this.#lanes.values(), ({ sessionId, from, to, count, failing }) => [
        sessionId,
        { from, to, count, ...(failing && { failing }) },
      ]),
    );
  }

  /** A wall clock that was set back while the gateway was down delays no attempt. */
  #wait(lane: SessionLane, { nextAt }: Failing): void {
    const waitMs = Math.min(Math.max(0, nextAt - this.#clock.now()), maxRetryWaitMs);
    lane.dueAt = this.#clock.elapsed() + waitMs;
  }
}
