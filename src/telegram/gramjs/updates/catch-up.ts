import { Api } from 'telegram/tl/index.js';
import { retryAfterMsOf } from '../../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import { TelegramError } from '../../port/errors.ts';
import type { UpdatePosition } from '../../port/updates.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import { flattenUpdates, placeOf, updatesIn } from './flatten-updates.ts';

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
  /** Updates before the present position are lost. */
  onLost: (reason: LostReason) => void;
}

/**
 * `too-many`: too many updates; `position-unknown`: Telegram does not know the position; `unreadable`: this layer
 * cannot read the difference.
 */
export type LostReason = 'too-many' | 'position-unknown' | 'unreadable';

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
    return this.#position !== undefined && !this.#asking && this.#timer === undefined && !this.#stopped;
  }

  startAt(position: UpdatePosition): void {
    this.#moveTo(position, [], false);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of [this.#timer, this.#routine]) {
      if (timer !== undefined) this.#deps.clock.clearTimeout(timer);
    }
  }

  /** The request for all updates after the present position; undefined before the first position. */
  request(): Api.updates.GetDifference | undefined {
    return this.#position && new Api.updates.GetDifference(this.#position);
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
    if (pts <= before && ptsCount > 0) return false;
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
    if (request.pts !== this.#position?.pts) return true;
    if (difference instanceof Api.updates.DifferenceEmpty) {
      this.#moveTo({ ...this.#position, date: difference.date }, [], true);
      return false;
    }
    if (difference instanceof Api.updates.DifferenceTooLong) {
      // Too many updates were missed: Telegram no longer has them in order, so those in between are lost.
      this.#moveTo({ ...this.#position, pts: difference.pts }, [], true);
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
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    try {
      for (let more = true; more && !this.#stopped; ) {
        await this.#deps.room();
        this.#askAgain = false;
        const request = this.request();
        if (request === undefined || this.#stopped) return;
        more = this.take(await this.#deps.invoke(request), request) || this.#askAgain;
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

  #accepts(update: Api.TypeUpdate): boolean {
    const place = placeOf(update);
    if (place === undefined) return true;
    const isKnown = this.#position !== undefined && place.ptsCount > 0 && place.pts <= this.#position.pts;
    if (!isKnown && (this.#deps.isDoubtful(update) || !this.#deps.hasRoom())) {
      void this.recover();
      return false;
    }
    return this.count(place.pts, place.ptsCount);
  }

  #moveTo({ pts, qts, date }: UpdatePosition, updates: readonly Api.TypeUpdate[], missed: boolean): void {
    this.#position = { pts, qts, date };
    this.#deps.onUpdates(updates, missed, this.#position);
  }

  async #afterFailure(error: unknown): Promise<void> {
    let cause = error;
    if (isPositionUseless(error) && !this.#stopped) {
      try {
        this.startAt(await this.#deps.present());
        this.#deps.onLost(error instanceof UnreadableAnswerError ? 'unreadable' : 'position-unknown');
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

/** Fetching from that position again would fail without end, and no pushed update would fit. */
function isPositionUseless(error: unknown): boolean {
  if (error instanceof UnreadableAnswerError) return true;
  return error instanceof TelegramError && /^PERSISTENT_TIMESTAMP_(?:INVALID|EMPTY)$/.test(error.errorName);
}
