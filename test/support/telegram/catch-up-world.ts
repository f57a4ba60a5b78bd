import bigInt from 'big-integer';
import { Api } from 'telegram';
import { UnreadableAnswerError } from '../../../src/telegram/gramjs/library/sender.ts';
import { CatchUp } from '../../../src/telegram/gramjs/updates/catch-up.ts';
import { createDrivenClock, type DrivenClock } from '../kit/clock.ts';

export const message = (text: string, id: number): Api.Message =>
  new Api.Message({ id, message: text, date: 0, peerId: new Api.PeerUser({ userId: bigInt(7) }) });
export const state = (pts: number): Api.updates.State =>
  new Api.updates.State({ pts, qts: 0, date: 1, seq: 0, unreadCount: 0 });

/** Catches up from pts 0 with what a Telegram of the test's own holds. */
export class CatchUpWorld {
  readonly clock: DrivenClock = createDrivenClock();
  seen: string[] = [];
  asked: number[] = [];
  /** What Telegram holds, by pts from 1. */
  held = ['a', 'b', 'c', 'd', 'e', 'f'];
  limits: (number | undefined)[] = [];
  sliceSize = 100;
  /** Numbers of updates that no difference with them can be read. */
  unreadable = new Set<number>();
  failures = 0;
  /** What the failures are. */
  failure = new Error('out of reach');
  /** Where Telegram says that the account is. */
  present = 0;
  /** IDs of messages that a push does not tell enough of. */
  doubted = new Set<number>();
  /** Resolves when there is room again. */
  full: Promise<void> | undefined;
  /** Where nothing was missing. */
  current: unknown[] = [];
  lost: string[] = [];
  /** Called with each slice that holds nothing. */
  stuck: (tries: number) => void = () => undefined;
  readonly catchUp: CatchUp;

  constructor() {
    this.catchUp = new CatchUp({
      clock: this.clock,
      invoke: async ({ pts, ptsLimit }) => this.#difference(pts, ptsLimit),
      present: async () => state(this.present),
      onUpdates: (updates, missed) => {
        for (const update of updates) {
          const text =
            update instanceof Api.UpdateNewMessage && update.message instanceof Api.Message && update.message.message;
          this.seen.push(`${text || update.className}${missed ? '*' : ''}`);
        }
      },
      isDoubtful: (update) =>
        update instanceof Api.UpdateNewMessage &&
        update.message instanceof Api.Message &&
        this.doubted.has(update.message.id),
      hasRoom: () => this.full === undefined,
      room: async () => this.full,
      onCurrent: () => {
        this.current.push(this.catchUp.position?.pts);
      },
      onGap: () => {},
      onLost: (reason) => void this.lost.push(reason),
    });
    this.catchUp.startAt({ pts: 0, qts: 0, date: 0 });
  }

  /** The message of that pts comes by itself. */
  push(pts: number): Api.TypeUpdates {
    return new Api.UpdateShort({
      update: new Api.UpdateNewMessage({ message: message(this.held[pts - 1] ?? '', pts), pts, ptsCount: 1 }),
      date: 0,
    });
  }

  #difference(pts: number, ptsLimit: number | undefined): Api.updates.TypeDifference {
    this.asked.push(pts);
    this.limits.push(ptsLimit);
    if (this.failures-- > 0) throw this.failure;
    if (this.sliceSize === 0) {
      this.stuck(this.asked.length);
      const intermediateState = new Api.updates.State({ pts, qts: 0, date: 0, seq: 0, unreadCount: 0 });
      const nothing = { newMessages: [], newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
      return new Api.updates.DifferenceSlice({ ...nothing, intermediateState });
    }
    const upTo = Math.min(this.held.length, pts + (ptsLimit ?? this.sliceSize));
    for (const each of this.unreadable)
      if (each > pts && each <= upTo) throw new UnreadableAnswerError('updates.GetDifference');
    if (upTo <= pts) return new Api.updates.DifferenceEmpty({ date: 2, seq: 0 });
    const newMessages = this.held.slice(pts, upTo).map((text, index) => message(text, pts + index + 1));
    const rest = { newMessages, newEncryptedMessages: [], otherUpdates: [], chats: [], users: [] };
    return upTo === this.held.length
      ? new Api.updates.Difference({ ...rest, state: state(upTo) })
      : new Api.updates.DifferenceSlice({ ...rest, intermediateState: state(upTo) });
  }
}
