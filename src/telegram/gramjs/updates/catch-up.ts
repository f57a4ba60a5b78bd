import { Api } from 'telegram/tl/index.js';
import { retryAfterMsOf } from '../../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import { TelegramError } from '../../port/errors.ts';
import type { UpdatePosition } from '../../port/updates.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import { flattenUpdates, placeOf, updatesIn } from './flatten-updates.ts';

/** Updates may overtake one another; only a gap that lasts is a loss (https://core.telegram.org/api/updates). */
const gapMs = 500;
/** After a failed try: the connection may be about to break, and then its successor asks anyway. */
const retryMs = 5_000;
/** Telegram stops pushing to who asks for nothing for an hour. */
const routineMs = 30 * 60_000;

export interface CatchUpDeps {
  clock: Clock;
  /** How to ask; a difference also brings users and chats, which the asker learns. */
  invoke: (request: Api.updates.GetDifference) => Promise<Api.updates.TypeDifference>;
  /** Where the account's box is now. What lies before is given up: it can't be had any more. */
  present: () => Promise<UpdatePosition>;
  /**
   * Told of each update once, in order, those that came together at once, with the position that they lead to; `missed`
   * where they were not pushed but asked for. Also told where only the position has moved.
   */
  onUpdates: (updates: readonly Api.TypeUpdate[], missed: boolean, position: UpdatePosition | undefined) => void;
  /** Whether more can be taken now; else it is left at Telegram until there is {@link room}. */
  hasRoom: () => boolean;
  room: () => Promise<void>;
  /** Whether a pushed update lacks something that an answer of Telegram's would hold: then it is asked for. */
  isDoubtful: (update: Api.TypeUpdate) => boolean;
  /** Nothing is missing now. */
  onCurrent: () => void;
  /** What lies before the present position can't be had. */
  onLost: (reason: LostReason) => void;
}

/** `too-many` updates, or Telegram does not know the `position`, or says what this layer has no words for. */
export type LostReason = 'too-many' | 'position-unknown' | 'unreadable';

/**
 * No update is lost (D2): counts Telegram's counters of the account's own box of messages, and asks for what is missing
 * after a reconnection, after a gap, and when Telegram says that there is too much. Channels have boxes of their own;
 * their updates pass through uncounted.
 */
export class CatchUp {
  readonly #setting: CatchUpDeps;
  #position: UpdatePosition | undefined;
  #timer: TimerHandle | undefined;
  #routine: TimerHandle | undefined;
  #asking = false;
  #askAgain = false;
  /** The highest number seen while a difference was under way. */
  #awaitedPts = 0;
  #stopped = false;

  /** @param position where a former run came to; without it, counting starts with the first {@link startAt} */
  constructor(setting: CatchUpDeps, position?: UpdatePosition) {
    this.#setting = setting;
    this.#position = position;
  }

  get position(): UpdatePosition | undefined {
    return this.#position;
  }

  /** Whether nothing is known to be missing. */
  get isCurrent(): boolean {
    return this.#position !== undefined && !this.#asking && this.#timer === undefined && !this.#stopped;
  }

  startAt(position: UpdatePosition): void {
    this.#moveTo(position, [], false);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of [this.#timer, this.#routine]) {
      if (timer !== undefined) this.#setting.clock.clearTimeout(timer);
    }
  }

  /** What asks for everything after the present position; undefined where nothing has been counted yet. */
  request(): Api.updates.GetDifference | undefined {
    return this.#position && new Api.updates.GetDifference(this.#position);
  }

  /** A push of Telegram, or the answer to a request that changed something. */
  handle(updates: Api.TypeUpdates): void {
    if (updates instanceof Api.UpdatesTooLong) {
      void this.recover();
      return;
    }
    const passed = flattenUpdates(updates).filter((update) => this.#accepts(update));
    if (passed.length > 0) this.#setting.onUpdates(passed, false, this.#position);
  }

  /**
   * Counts an event of the account's own box.
   * @returns whether it is the next one; else it is known already, or comes again once the gap before it is closed
   */
  count(pts: number, ptsCount: number): boolean {
    if (this.#position === undefined) return true;
    const before = this.#position.pts;
    if (pts <= before && ptsCount > 0) return false;
    if (this.#asking) {
      // The answer under way may hold it already: it is left to the next one, unless it did.
      this.#awaitedPts = Math.max(this.#awaitedPts, pts);
      return false;
    }
    if (pts - ptsCount > before) {
      this.#recoverIn(gapMs);
      return false;
    }
    this.#position = { ...this.#position, pts: Math.max(before, pts) };
    return true;
  }

  /**
   * The answer to a {@link request}. One that was overtaken is dropped: what it holds has been passed on in part.
   * @returns whether there is more to ask for
   */
  take(difference: Api.updates.TypeDifference, asked: Api.updates.GetDifference): boolean {
    if (asked.pts !== this.#position?.pts) return true;
    if (difference instanceof Api.updates.DifferenceEmpty) {
      this.#moveTo({ ...this.#position, date: difference.date }, [], true);
      return false;
    }
    if (difference instanceof Api.updates.DifferenceTooLong) {
      // So much was missed that Telegram does not keep it in order any more: what is in between can't be had.
      this.#moveTo({ ...this.#position, pts: difference.pts }, [], true);
      this.#setting.onLost('too-many');
      return true;
    }
    const isLast = difference instanceof Api.updates.Difference;
    this.#moveTo(isLast ? difference.state : difference.intermediateState, updatesIn(difference), true);
    return !isLast;
  }

  /** Asks from time to time, also when nothing seems to be missing. Safe to repeat. */
  startRoutine(): void {
    if (this.#stopped) return;
    this.#routine ??= this.#setting.clock.setTimeout(() => {
      this.#routine = undefined;
      this.startRoutine();
      void this.recover();
    }, routineMs);
  }

  /** Asks until nothing is missing. */
  async recover(): Promise<void> {
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    try {
      for (let more = true; more && !this.#stopped; ) {
        await this.#setting.room();
        this.#askAgain = false;
        const request = this.request();
        if (request === undefined || this.#stopped) return;
        more = this.take(await this.#setting.invoke(request), request) || this.#askAgain;
        more ||= this.#awaitedPts > (this.#position?.pts ?? 0);
        // Asked once; if Telegram does not have it, it was none of this box.
        this.#awaitedPts = 0;
      }
      this.#asking = false;
      if (this.isCurrent) this.#setting.onCurrent();
    } catch (error) {
      await this.#afterFailure(error);
    } finally {
      this.#asking = false;
    }
  }

  #accepts(update: Api.TypeUpdate): boolean {
    const place = placeOf(update);
    if (place === undefined) return true;
    const isKnown = this.#position !== undefined && place.ptsCount > 0 && place.pts <= this.#position.pts;
    if (!isKnown && (this.#setting.isDoubtful(update) || !this.#setting.hasRoom())) {
      void this.recover();
      return false;
    }
    return this.count(place.pts, place.ptsCount);
  }

  #moveTo({ pts, qts, date }: UpdatePosition, updates: readonly Api.TypeUpdate[], missed: boolean): void {
    this.#position = { pts, qts, date };
    this.#setting.onUpdates(updates, missed, this.#position);
  }

  async #afterFailure(error: unknown): Promise<void> {
    let cause = error;
    if (isPositionUseless(error) && !this.#stopped) {
      try {
        this.startAt(await this.#setting.present());
        this.#setting.onLost(error instanceof UnreadableAnswerError ? 'unreadable' : 'position-unknown');
        return;
      } catch (next) {
        cause = next;
      }
    }
    this.#recoverIn(Math.max(retryMs, retryAfterMsOf(cause)));
  }

  #recoverIn(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer ??= this.#setting.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.recover();
    }, delayMs);
  }
}

/** Asking from there again would fail again, for ever; and nothing that is pushed would fit in. */
function isPositionUseless(error: unknown): boolean {
  if (error instanceof UnreadableAnswerError) return true;
  return error instanceof TelegramError && /^PERSISTENT_TIMESTAMP_(?:INVALID|EMPTY)$/.test(error.errorName);
}
