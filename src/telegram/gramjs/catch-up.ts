import { Api } from 'telegram/tl/index.js';
import type { Clock, TimerHandle } from '../../../actors/clock.ts';
import type { UpdatePosition } from '../port/updates.ts';
import { TelegramError } from '../port.ts';
import { waitAskedForMs } from '../retry-policy.ts';
import { flatten } from './flat-updates.ts';
import { UnreadableAnswerError } from './sender.ts';

/** Updates may overtake one another; only a gap that lasts is a loss (https://core.telegram.org/api/updates). */
const gapMs = 500;
/** After a failed try: the connection may be about to break, and then its successor asks anyway. */
const retryMs = 5_000;
/** Telegram stops pushing to who asks for nothing for an hour. */
const routineMs = 30 * 60_000;

export interface CatchUpSetting {
  clock: Clock;
  /** How to ask; a difference also brings users and chats, which the asker learns. */
  invoke: (request: Api.updates.GetDifference) => Promise<Api.updates.TypeDifference>;
  /** Where the account's box is now. What lies before is given up: it can't be had any more. */
  present: () => Promise<UpdatePosition>;
  /** Told of each update once; `missed` where it was not pushed but asked for. */
  onUpdate: (update: Api.TypeUpdate, missed: boolean) => void;
}

/**
 * No update is lost (D2): counts Telegram's counters of the account's own box of messages, and asks for what is missing
 * after a reconnection, after a gap, and when Telegram says that there is too much. Channels have boxes of their own;
 * their updates pass through uncounted.
 */
export class CatchUp {
  readonly #setting: CatchUpSetting;
  #position: UpdatePosition | undefined;
  #timer: TimerHandle | undefined;
  #routine: TimerHandle | undefined;
  #asking = false;
  #askAgain = false;
  /** The highest number seen while a difference was under way. */
  #awaitedPts = 0;
  #stopped = false;

  /** @param position where a former run came to; without it, counting starts with the first {@link startAt} */
  constructor(setting: CatchUpSetting, position?: UpdatePosition) {
    this.#setting = setting;
    this.#position = position;
  }

  get position(): UpdatePosition | undefined {
    return this.#position;
  }

  startAt({ pts, qts, date }: UpdatePosition): void {
    this.#position = { pts, qts, date };
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
    for (const update of flatten(updates)) this.#one(update);
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
      this.#position = { ...this.#position, date: difference.date };
      return false;
    }
    if (difference instanceof Api.updates.DifferenceTooLong) {
      // So much was missed that Telegram does not keep it in order any more: what is in between can't be had.
      this.#position = { ...this.#position, pts: difference.pts };
      return true;
    }
    const isLast = difference instanceof Api.updates.Difference;
    this.startAt(isLast ? difference.state : difference.intermediateState);
    for (const message of difference.newMessages) {
      this.#setting.onUpdate(new Api.UpdateNewMessage({ message, pts: 0, ptsCount: 0 }), true);
    }
    for (const update of difference.otherUpdates) this.#setting.onUpdate(update, true);
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
        this.#askAgain = false;
        const request = this.request();
        if (request === undefined) return;
        more = this.take(await this.#setting.invoke(request), request) || this.#askAgain;
        more ||= this.#awaitedPts > (this.#position?.pts ?? 0);
        // Asked once; if Telegram does not have it, it was none of this box.
        this.#awaitedPts = 0;
      }
    } catch (error) {
      await this.#afterFailure(error);
    } finally {
      this.#asking = false;
    }
  }

  #one(update: Api.TypeUpdate): void {
    const place = placeOf(update);
    if (place === undefined || this.count(place.pts, place.ptsCount)) this.#setting.onUpdate(update, false);
  }

  async #afterFailure(error: unknown): Promise<void> {
    let cause = error;
    if (isPositionUseless(error) && !this.#stopped) {
      try {
        this.startAt(await this.#setting.present());
        return;
      } catch (next) {
        cause = next;
      }
    }
    this.#recoverIn(Math.max(retryMs, waitAskedForMs(cause)));
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

/** The place of an update in the account's own box, where it has one. */
function placeOf(update: Api.TypeUpdate): { pts: number; ptsCount: number } | undefined {
  const { pts, ptsCount, className } = update as { pts?: number; ptsCount?: number; className: string };
  return typeof pts !== 'number' || typeof ptsCount !== 'number' || className.includes('Channel')
    ? undefined
    : { pts, ptsCount };
}
