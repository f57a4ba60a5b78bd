import type { Api } from 'telegram/tl/index.js';
import { sleep } from '../../../../actors/kit/sleep.ts';
import {
  RecordClosedError,
  RecordSupersededError,
  type UpdatePosition,
  type UpdateRecord,
} from '../../port/updates.ts';
import { errorNameOf, type TelegramLog } from '../../telegram-log.ts';
import { privateChatUpdate } from './private-chat-update.ts';
import { type ArrivedUpdate, type ResolveUpdatesDeps, resolveUpdates } from './resolve-updates.ts';

/** So many are held while the record is slow; the rest waits at Telegram. */
const mostWaiting = 500;
const retryMs = 5_000;

export interface AccountUpdatesDeps extends ResolveUpdatesDeps {
  log: TelegramLog;
  record: UpdateRecord;
  /** Somebody else has recorded: counting is to go on from there. */
  restartAt: (position: UpdatePosition) => void;
}

/** What came together, and where it has led. */
interface Arrival {
  updates: readonly ArrivedUpdate[];
  to: UpdatePosition;
  /** Everything up to here is known: the record may say so. */
  isCurrent: boolean;
}

/**
 * From what Telegram tells to what is recorded: picks what happens in private chats, knows one's own messages and whom one
 * writes with, and hands it on in order. The position moves when its updates are recorded, not before.
 */
export class AccountUpdates {
  readonly #setting: AccountUpdatesDeps;
  #position: UpdatePosition | undefined;
  #arrivals: Arrival[] = [];
  #waiting = 0;
  #working: Promise<void> | undefined;
  #freed: (() => void)[] = [];

  constructor(setting: AccountUpdatesDeps, position: UpdatePosition | undefined) {
    this.#setting = setting;
    this.#position = position;
  }

  /** Up to where nothing is still to be recorded. */
  get position(): UpdatePosition | undefined {
    return this.#position;
  }

  get hasRoom(): boolean {
    return this.#waiting < mostWaiting;
  }

  /** Resolves when there is room, or nothing is taken any more. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.#setting.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#freed.push(resolve);
      });
    }
  }

  /**
   * Whether a push tells too little, which a difference would tell: of a message of the account's own, who of its logins
   * wrote it; or who the other one is (https://core.telegram.org/api/updates: short forms come without users).
   */
  isDoubtful(update: Api.TypeUpdate): boolean {
    const { record, sent, users, ownId } = this.#setting;
    if (!record.isWanted) return false;
    const told = privateChatUpdate(update, ownId());
    if (told?.type !== 'message') return false;
    const isNobodys = told.message.out === true && sent.isOwn(told.chatId, told.message.id) === undefined;
    return isNobodys || !users.canFind(told.chatId);
  }

  /** Takes what arrives, and where it leads. */
  add(updates: readonly Api.TypeUpdate[], missed: boolean, to: UpdatePosition): void {
    const told = this.#setting.record.isWanted
      ? updates.flatMap((update) => {
          const found = privateChatUpdate(update, this.#setting.ownId());
          return found === undefined ? [] : [{ ...found, missed }];
        })
      : [];
    this.#take({ updates: told, to, isCurrent: false });
  }

  /** This login has written a message. */
  addSent(chatId: string, messageId: number, to: UpdatePosition): void {
    const sent = { type: 'message.sent', date: undefined, chatId, messageId, missed: false } as const;
    if (this.#setting.record.isWanted) this.#take({ updates: [sent], to, isCurrent: false });
  }

  /** Nothing is missing up to here. */
  markCurrent(to: UpdatePosition): void {
    if (this.#setting.record.isWanted) this.#take({ updates: [], to, isCurrent: true });
  }

  /** Resolves when nothing more is being recorded; to be called after the signal. */
  async ended(): Promise<void> {
    await this.#working;
  }

  #take(arrival: Arrival): void {
    const isIdle = this.#working === undefined && this.#arrivals.length === 0;
    if (isIdle && arrival.updates.length === 0 && !arrival.isCurrent) {
      this.#position = arrival.to;
      return;
    }
    this.#arrivals.push(arrival);
    this.#waiting += arrival.updates.length;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    const { signal, clock, log } = this.#setting;
    while (this.#arrivals.length > 0 && !signal.aborted) {
      const arrivals = this.#arrivals;
      this.#arrivals = [];
      try {
        await this.#record(arrivals);
        this.#free(arrivals);
      } catch (error) {
        if (signal.aborted || error instanceof RecordClosedError) break;
        if (error instanceof RecordSupersededError) {
          await this.#startAnew(arrivals);
          continue;
        }
        log('warn', 'updates could not be taken yet', { error: errorNameOf(error) });
        this.#arrivals = [...arrivals, ...this.#arrivals];
        await sleep(clock, retryMs, signal).catch(() => undefined);
      }
    }
    this.#working = undefined;
    if (signal.aborted) this.#free(this.#arrivals.splice(0));
  }

  async #record(arrivals: readonly Arrival[]): Promise<void> {
    const { record } = this.#setting;
    const last = arrivals.at(-1);
    if (last === undefined) return;
    const updates = await resolveUpdates(
      this.#setting,
      arrivals.flatMap((arrival) => arrival.updates),
    );
    const from = this.#position ?? last.to;
    if (updates.length > 0) await record.record(updates, from, last.to);
    if (arrivals.some(({ isCurrent }) => isCurrent)) await record.record([], last.to, last.to);
    this.#position = last.to;
  }

  async #startAnew(arrivals: readonly Arrival[]): Promise<void> {
    const { record, log } = this.#setting;
    log('warn', 'somebody else records the updates of the session', {});
    const position = await record.resume().catch(() => undefined);
    this.#free([...arrivals, ...this.#arrivals.splice(0)]);
    if (position === undefined) return;
    this.#position = position;
    this.#setting.restartAt(position);
  }

  #free(arrivals: readonly Arrival[]): void {
    for (const { updates } of arrivals) this.#waiting -= updates.length;
    if (!this.hasRoom && !this.#setting.signal.aborted) return;
    for (const resolve of this.#freed.splice(0)) resolve();
  }
}
