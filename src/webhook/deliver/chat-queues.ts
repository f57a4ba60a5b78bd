import type { Clock } from '../../../actors/ports/clock.ts';
import type { PlacedEvent } from '../stream/delivery-events.ts';
import type { ChatBehind, Failing } from '../stream/outbox-progress.ts';
import { maxRetryWaitMs } from './retry-schedule.ts';

/** A pending delivery in memory. */
export interface Due {
  revision: number;
  seq: number;
  /** When it was recorded, milliseconds since 1970. */
  at: number;
  /** The event itself, unless the delivery has failed: then it is read again for each attempt. */
  event: PlacedEvent | undefined;
}

export interface ChatQueue {
  readonly key: string;
  /** The first pending deliveries, in order. */
  readonly due: Due[];
  /** Number of pending deliveries, those in the stream included. */
  count: number;
  /** Revision of the first delivery that is only in the stream. */
  restFrom: number | undefined;
  failing: Failing | undefined;
  /**
   * When its next attempt is due, by the clock's `elapsed()`: setting the wall clock delays nothing. Undefined if it does
   * not wait for one.
   */
  dueAt: number | undefined;
}

/** Events of a session in memory: the backlog is on disk. */
const maxHeld = 64;
/** Of these, for one chat. */
const maxHeldOfChat = 32;
/** A read is worth it for this many: reading one event costs about as much. */
const worthReading = maxHeld / 4;
/**
 * Chats that are behind. One that waits for its next attempt takes none of the room for events: it is a place in the
 * stream, and about 95 bytes of a checkpoint. The limit keeps the checkpoint within one event of KurrentDB (1 MiB).
 */
export const maxChats = 10_000;

/** The pending deliveries of a session, by chat. */
export class ChatQueues {
  readonly chats = new Map<string, ChatQueue>();
  /** Those that do not wait for a next attempt. */
  readonly #awake = new Set<ChatQueue>();
  /** Those whose first delivery has failed, until its next attempt is due. */
  readonly #waiting = new Set<ChatQueue>();
  /** When the first of those is due, or earlier. */
  #nextDueAt = Infinity;
  /** The first failure of all chats, if it is known. */
  #firstFailure: number | undefined;
  /** Events in memory. */
  #held = 0;
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;

  constructor(behind: Readonly<Record<string, ChatBehind>>, clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
    for (const [key, { from, count, failing }] of Object.entries(behind)) {
      const chat = { key, due: [], count, restFrom: from, failing, dueAt: undefined };
      this.chats.set(key, chat);
      if (failing === undefined) this.#awake.add(chat);
      else this.#wait(chat, failing);
    }
  }

  /** Number of events that have room. */
  get room(): number {
    return this.chats.size < maxChats ? Math.max(0, maxHeld - this.#held) : 0;
  }

  /** When the next attempt of the chats that wait is due, or earlier, by `elapsed()`; Infinity if none waits. */
  get nextDueAt(): number {
    return this.#nextDueAt;
  }

  /** When the next attempt of the chats that wait is due, milliseconds since 1970; undefined if none waits. */
  get nextAttemptAt(): number | undefined {
    const { elapsed, now } = { elapsed: this.#clock.elapsed(), now: this.#clock.now() };
    let first: number | undefined;
    for (const { dueAt = elapsed } of this.#waiting) first = Math.min(first ?? Infinity, Math.max(dueAt, elapsed));
    return first && Math.round(now + first - elapsed);
  }

  /** The chats that do not wait for a next attempt. */
  awake(): Iterable<ChatQueue> {
    const now = this.#clock.elapsed();
    if (now < this.#nextDueAt) return this.#awake;
    this.#nextDueAt = Infinity;
    for (const chat of this.#waiting) {
      const { dueAt = now } = chat;
      if (dueAt > now) this.#nextDueAt = Math.min(this.#nextDueAt, dueAt);
      else {
        this.#waiting.delete(chat);
        chat.dueAt = undefined;
        this.#awake.add(chat);
      }
    }
    return this.#awake;
  }

  /** No chat waits for its next attempt any longer. */
  wakeAll(): void {
    for (const chat of this.#waiting) {
      if (chat.failing !== undefined) chat.failing.nextAt = 0;
      chat.dueAt = undefined;
    }
    this.#nextDueAt = -Infinity;
  }

  /** Whether enough events have room to make a read worth its cost. */
  get hasMuchRoom(): boolean {
    return this.room >= worthReading;
  }

  /** Number of pending deliveries, in all chats. */
  get count(): number {
    let count = 0;
    for (const chat of this.chats.values()) count += chat.count;
    return count;
  }

  /** When the oldest delivery in memory was recorded. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined;
    for (const { due } of this.chats.values()) {
      if (due[0] !== undefined) oldest = Math.min(oldest ?? Infinity, due[0].at);
    }
    return oldest;
  }

  /** Adds a delivery that was read for the first time. */
  add(key: string, due: Due): ChatQueue {
    let chat = this.chats.get(key);
    if (chat === undefined) {
      chat = { key, due: [], count: 0, restFrom: undefined, failing: this.#sharedFailing(), dueAt: undefined };
      this.chats.set(key, chat);
      this.#awake.add(chat);
    }
    chat.count += 1;
    if (chat.restFrom !== undefined || !this.#hold(chat, due)) chat.restFrom ??= due.revision;
    return chat;
  }

  /** Adds a delivery that was left in the stream. False if it has to stay there. */
  addRest(chat: ChatQueue, due: Due): boolean {
    const isHeld = this.#hold(chat, due);
    chat.restFrom = isHeld ? due.revision + 1 : due.revision;
    return isHeld;
  }

  /** The chat has no delivery left in the stream. */
  endRest(chat: ChatQueue): void {
    chat.restFrom = undefined;
    chat.count = chat.due.length;
    this.#forgetIfDone(chat);
  }

  /**
   * The first delivery of a chat is finished. The chat is removed with its last one.
   * @param failing of the chat, from now on
   */
  shift(chat: ChatQueue, failing: Failing | undefined): void {
    chat.failing = failing;
    this.#firstFailure = undefined;
    this.#release(chat.due.shift());
    chat.count -= 1;
    this.#forgetIfDone(chat);
  }

  /** The first delivery of a chat has to wait: the others go back to the stream, so that other chats get their room. */
  putBack(chat: ChatQueue, failing: Failing): void {
    this.#awake.delete(chat);
    this.#wait(chat, failing);
    const rest = chat.due.splice(1);
    if (rest[0] !== undefined) chat.restFrom = rest[0].revision;
    for (const due of [...chat.due, ...rest]) this.#release(due);
  }

  /** Chats whose pending deliveries are in the stream only, and that do not wait for their next attempt. */
  hungry(): ChatQueue[] {
    const chats: ChatQueue[] = [];
    // Stryker disable next-line ConditionalExpression: a chat without a rest has deliveries in memory, or is gone
    for (const chat of this.awake()) if (chat.restFrom !== undefined && chat.due.length === 0) chats.push(chat);
    return chats;
  }

  /** Chats that have few deliveries left in memory, and more in the stream. */
  peckish(): ChatQueue[] {
    const isPeckish = ({ failing, restFrom, due }: ChatQueue): boolean =>
      failing === undefined && restFrom !== undefined && due.length > 0 && due.length <= maxHeldOfChat / 2;
    return [...this.#awake].filter(isPeckish);
  }

  /** As it is saved. */
  behind(): Record<string, ChatBehind> {
    const behind: Record<string, ChatBehind> = {};
    for (const { key, due, count, restFrom, failing } of this.chats.values()) {
      const from = due[0]?.revision ?? restFrom;
      if (from !== undefined) behind[key] = { from, count, ...(failing && { failing }) };
    }
    return behind;
  }

  /**
   * If every chat fails, the endpoint fails. Then it has also failed for a chat that had no room until now: its 24 h
   * begin with the first failure of the others.
   */
  #sharedFailing(): Failing | undefined {
    for (const { failing } of this.#awake) if (failing === undefined) return undefined;
    if (this.chats.size === 0) return undefined;
    this.#firstFailure ??= Array.from(this.chats.values(), ({ failing }) => failing?.since ?? Infinity).reduce(earlier);
    return { attempts: 0, since: this.#firstFailure, nextAt: 0 };
  }

  #wait(chat: ChatQueue, failing: Failing): void {
    chat.failing = failing;
    this.#waiting.add(chat);
    // The wall clock may have been set back while the gateway was down.
    chat.dueAt = this.#clock.elapsed() + Math.min(failing.nextAt - this.#clock.now(), maxRetryWaitMs);
    this.#nextDueAt = Math.min(this.#nextDueAt, chat.dueAt);
    if (this.#firstFailure !== undefined) this.#firstFailure = Math.min(this.#firstFailure, failing.since);
  }

  #forgetIfDone(chat: ChatQueue): void {
    if (chat.due.length > 0 || chat.restFrom !== undefined) return;
    this.chats.delete(chat.key);
    this.#awake.delete(chat);
    this.#waiting.delete(chat);
  }

  #hold(chat: ChatQueue, due: Due): boolean {
    const { attempts = 0 } = chat.failing ?? {};
    const max = chat.failing === undefined ? maxHeldOfChat : 1;
    if (chat.due.length >= max || (this.#held >= maxHeld && chat.due.length > 0)) return false;
    chat.due.push(due);
    // The room is for first attempts.
    if (attempts > 0) due.event = undefined;
    else if (due.event !== undefined) this.#held += 1;
    return true;
  }

  #release(due: Due | undefined): void {
    if (due?.event === undefined) return;
    due.event = undefined;
    this.#held -= 1;
  }
}

const earlier = (a: number, b: number): number => Math.min(a, b);
