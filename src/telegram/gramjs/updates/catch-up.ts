import { Api } from 'telegram/tl/index.js';
import { retryAfterMsOf } from '../../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { UpdatePosition } from '../../port/updates.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import { DifferencePace, isFurther } from './difference-pace.ts';
import { flattenUpdates, isCounted, placeOf, updatesIn } from './flatten-updates.ts';
import { isPositionUseless, type LostReason } from './lost-updates.ts';

/** Updates may overtake one another. Only a gap that lasts is a loss (https://core.telegram.org/api/updates). */
const gapMs = 500;
/** Wait after a failed request: the connection may be closing, and then the next one asks anyway. */
const retryMs = 5_000;
/** Telegram stops pushing to a client that requests nothing for an hour. */
const routineMs = 30 * 60_000;

export interface CatchUpDeps {
  clock: Clock;
  /** Sends a request. A difference also carries users and chats, which the caller of it learns. */
  invoke: (request: Api.updates.GetDifference) => Promise<Api.updates.TypeDifference>;
  /** The current position of the account's box. Updates before it are given up: they are lost. */
  present: () => Promise<UpdatePosition>;
  /**
   * Called once for each update, in order, with those that arrived together, and with the position after them.
   * `missed`: they were fetched, not pushed. Also called when only the position has moved.
   */
  onUpdates: (updates: readonly Api.TypeUpdate[], missed: boolean, position: UpdatePosition | undefined) => void;
  /** Whether more updates can be accepted now. If not, they are left at Telegram until there is {@link room}. */
  hasRoom: () => boolean;
  room: () => Promise<void>;
  /** Whether a pushed update lacks something that a difference would have; then one is fetched. */
  isDoubtful: (update: Api.TypeUpdate) => boolean;
  /** No update is missing now. */
  onCurrent: () => void;
  /** Updates up to this position are missing in the flow; those that follow come after it. */
  onGap: (position: UpdatePosition) => void;
  /** Updates before the position are lost, all that are no messages. */
  onLost: (reason: LostReason) => void;
}

/**
 * Ensures that no update is lost (D2): follows the counters of the account's own box, and fetches missing updates after
 * a reconnection, after a gap, and when Telegram says that there are too many. Channels have their own boxes; their
 * updates pass without a check.
 */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  #position: UpdatePosition | undefined;
  #timer: TimerHandle | undefined;
  #routine: TimerHandle | undefined;
  /** Until the next try of a difference that did not move on. */
  #pause: TimerHandle | undefined;
  readonly #pace = new DifferencePace();
  /** What the last difference held, which did not move on; set after its last try. */
  #given: { updates: readonly Api.TypeUpdate[] } | undefined;
  #asking = false;
  #askAgain = false;
  /** The highest number seen while a difference was in flight. */
  #awaitedPts = 0;
  #stopped = false;

  /** @param position the last position of an earlier run; without it, counting starts with the first {@link startAt} */
  constructor(deps: CatchUpDeps, position?: UpdatePosition) {
    this.#deps = deps;
    this.#position = position;
  }

  get position(): UpdatePosition | undefined {
    return this.#position;
  }

  /** Whether no update is known to be missing. */
  get isCurrent(): boolean {
    return this.#position !== undefined && !this.#asking && !this.#isWaiting && !this.#stopped;
  }

  get #isWaiting(): boolean {
    return this.#timer !== undefined || this.#pause !== undefined;
  }

  startAt(position: UpdatePosition): void {
    this.#moveTo(position, [], false);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of [this.#timer, this.#routine, this.#pause]) {
      if (timer !== undefined) this.#deps.clock.clearTimeout(timer);
    }
  }

  /** The request for all updates after the present position; undefined before the first position. */
  request(): Api.updates.GetDifference | undefined {
    const { limit: ptsLimit } = this.#pace;
    return this.#position && new Api.updates.GetDifference({ ...this.#position, ...(ptsLimit && { ptsLimit }) });
  }

  /** Handles a push of Telegram, or the answer to a request that changed something. */
  handle(updates: Api.TypeUpdates): void {
    if (updates instanceof Api.UpdatesTooLong) {
      void this.recover();
      return;
    }
    const passed = flattenUpdates(updates).filter((update) => this.#accepts(update));
    if (passed.length > 0) this.#deps.onUpdates(passed, false, this.#position);
  }

  /**
   * Counts an update of the account's own box.
   * @returns whether it is the next one; if not, it is known already, or comes again after the gap before it is closed
   */
  count(pts: number, ptsCount: number): boolean {
    if (this.#position === undefined) return true;
    const before = this.#position.pts;
    if (isCounted({ pts, ptsCount }, before)) return false;
    if (this.#asking) {
      // The pending getDifference may already contain this update; drop it, and ask again if it did not.
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
   * Handles the answer to a {@link request}. An overtaken answer is dropped: parts of it were passed on already.
   * @returns whether there is more to fetch
   */
  take(difference: Api.updates.TypeDifference, request: Api.updates.GetDifference): boolean {
    this.#pace.noteRead();
    if (request.pts !== this.#position?.pts) return true;
    if (difference instanceof Api.updates.DifferenceEmpty) {
      this.#moveTo({ ...this.#position, date: difference.date }, [], true);
      return false;
    }
    if (!isFurther(difference, this.#position)) return this.#stall(difference);
    this.#pace.noteProgress();
    if (difference instanceof Api.updates.DifferenceTooLong) {
      // Too many updates were missed: Telegram no longer has them in order, so those in between are lost.
      this.#skipTo({ ...this.#position, pts: difference.pts });
      this.#deps.onLost('too-many');
      return true;
    }
    const isLast = difference instanceof Api.updates.Difference;
    this.#moveTo(isLast ? difference.state : difference.intermediateState, updatesIn(difference), true);
    return !isLast;
  }

  /** Fetches from time to time, even when nothing seems missing. Safe to repeat. */
  startRoutine(): void {
    if (this.#stopped) return;
    this.#routine ??= this.#deps.clock.setTimeout(() => {
      this.#routine = undefined;
      this.startRoutine();
      void this.recover();
    }, routineMs);
  }

  /** Fetches until nothing is missing. */
  async recover(): Promise<void> {
    // The next try fetches what there is a reason for now.
    if (this.#pause !== undefined) return;
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    try {
      for (let more = true; more && !this.#stopped; ) {
        await this.#deps.room();
        this.#askAgain = false;
        if (this.#given !== undefined) {
          await this.#passBy('stuck');
          break;
        }
        const request = this.request();
        if (request === undefined || this.#stopped) return;
        const difference = await this.#fetch(request);
        more = difference === undefined || this.take(difference, request) || this.#askAgain;
        more ||= this.#awaitedPts > (this.#position?.pts ?? 0);
        // Fetched once; if Telegram does not have it, it was of another box.
        this.#awaitedPts = 0;
      }
      this.#asking = false;
      if (this.isCurrent) this.#deps.onCurrent();
    } catch (error) {
      await this.#afterFailure(error);
    } finally {
      this.#asking = false;
    }
  }

  /** Undefined: it could not be read, and the next request is another one. */
  async #fetch(request: Api.updates.GetDifference): Promise<Api.updates.TypeDifference | undefined> {
    try {
      return await this.#deps.invoke(request);
    } catch (error) {
      if (!(error instanceof UnreadableAnswerError) || this.#stopped) throw error;
      const isFirst = !this.#pace.isStepping;
      const step = this.#pace.noteUnreadable();
      if (step === 'all') throw error;
      if (step === 'step' && this.#position !== undefined) {
        this.startAt({ ...this.#position, pts: this.#position.pts + 1 });
        if (isFirst) this.#deps.onLost('unreadable');
      }
      return undefined;
    }
  }

  /** Handles a difference that does not move on. @returns whether to go on at once: with what is left to be passed by */
  #stall(difference: Api.updates.Difference | Api.updates.DifferenceSlice | Api.updates.DifferenceTooLong): boolean {
    const delayMs = this.#pace.noteStall();
    if (delayMs === undefined) {
      this.#given = { updates: difference instanceof Api.updates.DifferenceTooLong ? [] : updatesIn(difference) };
      return true;
    }
    if (!this.#stopped) {
      this.#pause ??= this.#deps.clock.setTimeout(() => {
        this.#pause = undefined;
        void this.recover();
      }, delayMs);
    }
    return false;
  }

  /** Goes on from the present position; what is before it is lost. */
  async #passBy(reason: LostReason): Promise<void> {
    const present = await this.#deps.present();
    const updates = this.#given?.updates ?? [];
    this.#given = undefined;
    if (updates.length === 0) this.#skipTo(present);
    else this.#moveTo(present, updates, true);
    // Told already when the first of them was passed by.
    if (!this.#pace.isStepping) this.#deps.onLost(reason);
    this.#pace.noteProgress();
    this.#pace.noteRead();
  }

  #accepts(update: Api.TypeUpdate): boolean {
    const place = placeOf(update);
    if (place === undefined) return this.#acceptsSecond(update);
    const isKnown = this.#position !== undefined && isCounted(place, this.#position.pts);
    if (!isKnown && (this.#deps.isDoubtful(update) || !this.#deps.hasRoom())) {
      void this.recover();
      return false;
    }
    return this.count(place.pts, place.ptsCount);
  }

  /** What bots are told of has a counter of its own, one number an update. */
  #acceptsSecond(update: Api.TypeUpdate): boolean {
    const { qts } = update as { qts?: number };
    if (typeof qts !== 'number' || this.#position === undefined) return true;
    if (qts <= this.#position.qts) return false;
    if (this.#asking || !this.#deps.hasRoom()) {
      void this.recover();
      return false;
    }
    const isNext = qts === this.#position.qts + 1;
    if (isNext) this.#position = { ...this.#position, qts };
    else this.#recoverIn(gapMs);
    return isNext;
  }

  #moveTo({ pts, qts, date }: UpdatePosition, updates: readonly Api.TypeUpdate[], missed: boolean): void {
    this.#position = { pts, qts, date };
    this.#deps.onUpdates(updates, missed, this.#position);
  }

  #skipTo({ pts, qts, date }: UpdatePosition): void {
    this.#position = { pts, qts, date };
    this.#deps.onGap(this.#position);
  }

  async #afterFailure(error: unknown): Promise<void> {
    let cause = error;
    if (isPositionUseless(error) && !this.#stopped) {
      try {
        await this.#passBy(error instanceof UnreadableAnswerError ? 'unreadable' : 'position-unknown');
        return;
      } catch (next) {
        cause = next;
      }
    }
    this.#recoverIn(Math.max(retryMs, retryAfterMsOf(cause)));
  }

  #recoverIn(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer ??= this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.recover();
    }, delayMs);
  }
}
