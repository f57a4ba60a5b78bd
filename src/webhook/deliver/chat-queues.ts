import type { PlacedEvent } from '../stream/delivery-events.ts';
import type { ChatBehind, Failing } from '../stream/outbox-progress.ts';

/** A delivery that is due, as much of it as is in memory. */
export interface Due {
  revision: number;
  seq: number;
  /** When it was recorded, milliseconds since 1970. */
  at: number;
  /** The event itself, unless its chat waits. */
  event: PlacedEvent | undefined;
}

export interface ChatQueue {
  readonly key: string;
  /** The first deliveries that are due, in order. */
  readonly due: Due[];
  /** How many are due, those in the stream included. */
  count: number;
  /** Revision of the first delivery that is only in the stream. */
  restFrom: number | undefined;
  failing: Failing | undefined;
}

/** Events of a session in memory: the backlog is on disk. */
const maxHeld = 64;
/** Of these, events of one chat. */
const maxHeldOfChat = 32;
/** A page costs about the same for one event. */
const worthReading = maxHeld / 4;
/** Chats that are behind. Of one that waits, only its place is in memory. */
const maxChats = 256;

/** The deliveries of a session that are due, by chat. */
export class ChatQueues {
  readonly chats = new Map<string, ChatQueue>();
  /** Events in memory. */
  #held = 0;

  constructor(behind: Readonly<Record<string, ChatBehind>>) {
    for (const [key, { from, count, failing }] of Object.entries(behind)) {
      this.chats.set(key, { key, due: [], count, restFrom: from, failing });
    }
  }

  /** How many more events may come. */
  get room(): number {
    return this.chats.size < maxChats ? Math.max(0, maxHeld - this.#held) : 0;
  }

  /** Whether there is room for enough events to make a read worth its cost. */
  get hasMuchRoom(): boolean {
    return this.room >= worthReading;
  }

  /** How many deliveries are due, in all chats. */
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

  /** Adds a delivery that has not been looked at before. */
  add(key: string, due: Due): ChatQueue {
    let chat = this.chats.get(key);
    if (chat === undefined) {
      chat = { key, due: [], count: 0, restFrom: undefined, failing: this.#sharedFailing() };
      this.chats.set(key, chat);
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

  /** Nothing of the chat is left in the stream. */
  endRest(chat: ChatQueue): void {
    chat.restFrom = undefined;
    chat.count = chat.due.length;
    this.#forgetIfDone(chat);
  }

  /**
   * The first delivery of a chat is done with. The chat is forgotten with its last one.
   * @param failing of the chat, from now on
   */
  shift(chat: ChatQueue, failing: Failing | undefined): void {
    chat.failing = failing;
    this.#release(chat.due.shift());
    chat.count -= 1;
    this.#forgetIfDone(chat);
  }

  /** The first delivery of a chat has to wait: the others go back to the stream, and leave their room to other chats. */
  putBack(chat: ChatQueue, failing: Failing | undefined): void {
    chat.failing = failing;
    const rest = chat.due.splice(1);
    if (rest[0] !== undefined) chat.restFrom = rest[0].revision;
    for (const due of [...chat.due, ...rest]) this.#release(due);
  }

  /** Chats that are due and have deliveries in the stream only. */
  hungry(now: number): ChatQueue[] {
    const chats: ChatQueue[] = [];
    for (const chat of this.chats.values()) {
      const isWaiting = chat.failing !== undefined && chat.failing.nextAt > now;
      if (chat.restFrom !== undefined && chat.due.length === 0 && !isWaiting) chats.push(chat);
    }
    return chats;
  }

  /** Chats that have few deliveries left in memory, and more in the stream. */
  peckish(): ChatQueue[] {
    const isPeckish = ({ failing, restFrom, due }: ChatQueue): boolean =>
      failing === undefined && restFrom !== undefined && due.length > 0 && due.length <= maxHeldOfChat / 2;
    return [...this.chats.values()].filter(isPeckish);
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
   * If every chat fails, it is the endpoint that fails. Then it has failed for a new chat too, which had no room until now:
   * its 24 h count from when the others failed first.
   */
  #sharedFailing(): Failing | undefined {
    let since: number | undefined;
    for (const { failing } of this.chats.values()) {
      if (failing === undefined) return undefined;
      since = Math.min(since ?? Infinity, failing.since);
    }
    return since === undefined ? undefined : { attempts: 0, since, nextAt: 0 };
  }

  #forgetIfDone(chat: ChatQueue): void {
    if (chat.due.length === 0 && chat.restFrom === undefined) this.chats.delete(chat.key);
  }

  #hold(chat: ChatQueue, due: Due): boolean {
    const max = chat.failing === undefined ? maxHeldOfChat : 1;
    if (chat.due.length >= max || (this.#held >= maxHeld && chat.due.length > 0)) return false;
    chat.due.push(due);
    if (chat.failing !== undefined) due.event = undefined;
    else this.#held += 1;
    return true;
  }

  #release(due: Due | undefined): void {
    if (due?.event === undefined) return;
    due.event = undefined;
    this.#held -= 1;
  }
}
