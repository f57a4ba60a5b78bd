import type { PlacedEvent } from '../stream/delivery-events.ts';
import type { ChatBehind, Failing } from '../stream/outbox-progress.ts';

/** A delivery that is due, as much of it as must be at hand. */
export interface Due {
  revision: number;
  seq: number;
  /** When it was recorded, milliseconds since 1970. */
  at: number;
  /** The event itself, as long as its chat does not wait. */
  event: PlacedEvent | undefined;
}

export interface ChatQueue {
  readonly key: string;
  /** The first ones of what is due, in order. */
  readonly due: Due[];
  /** How many are due, in the stream too. */
  count: number;
  /** Revision of the first one that is only in the stream. */
  restFrom: number | undefined;
  failing: Failing | undefined;
}

/** Events at hand at most, of a session and of one of its chats: the backlog is on disk. */
const mostHeld = 64;
const mostOfChat = 32;
const worthReading = mostHeld / 4;
/** Chats that are behind at most: of those that wait, their place alone is at hand. */
const mostChats = 256;

/** What is due, by chat: in each one after the other, all of them side by side. */
export class ChatQueues {
  readonly chats = new Map<string, ChatQueue>();
  /** Events. */
  #held = 0;

  constructor(behind: Readonly<Record<string, ChatBehind>>) {
    for (const [key, { from, count, failing }] of Object.entries(behind)) {
      this.chats.set(key, { key, due: [], count, restFrom: from, failing });
    }
  }

  /** For so many more. */
  get room(): number {
    return this.chats.size < mostChats ? Math.max(0, mostHeld - this.#held) : 0;
  }

  /** For so many that reading them is worth while: what a page costs, it costs for a single one as well. */
  get hasMuchRoom(): boolean {
    return this.room >= worthReading;
  }

  /** Everything that is due. */
  get count(): number {
    let count = 0;
    for (const chat of this.chats.values()) count += chat.count;
    return count;
  }

  /** When the oldest of what is at hand was recorded. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined;
    for (const { due } of this.chats.values()) {
      if (due[0] !== undefined) oldest = Math.min(oldest ?? Infinity, due[0].at);
    }
    return oldest;
  }

  /** A delivery that nobody has seen before. */
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

  /** One that was left in the stream; false where it has to stay there. */
  addRest(chat: ChatQueue, due: Due): boolean {
    const isHeld = this.#hold(chat, due);
    chat.restFrom = isHeld ? due.revision + 1 : due.revision;
    return isHeld;
  }

  /** Nothing of a chat is left in the stream. */
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
    this.#letGo(chat.due.shift());
    chat.count -= 1;
    this.#forgetIfDone(chat);
  }

  /** The first delivery of a chat has to wait: the others go back to the stream, and leave their room to other chats. */
  putBack(chat: ChatQueue, failing: Failing | undefined): void {
    chat.failing = failing;
    const rest = chat.due.splice(1);
    if (rest[0] !== undefined) chat.restFrom = rest[0].revision;
    for (const due of [...chat.due, ...rest]) this.#letGo(due);
  }

  /** What has to be read from the stream now. */
  hungry(now: number): ChatQueue[] {
    const chats: ChatQueue[] = [];
    for (const chat of this.chats.values()) {
      const isWaiting = chat.failing !== undefined && chat.failing.nextAt > now;
      if (chat.restFrom !== undefined && chat.due.length === 0 && !isWaiting) chats.push(chat);
    }
    return chats;
  }

  /** What may be read along with that: of which little is left at hand. */
  peckish(): ChatQueue[] {
    const isPeckish = ({ failing, restFrom, due }: ChatQueue): boolean =>
      failing === undefined && restFrom !== undefined && due.length > 0 && due.length <= mostOfChat / 2;
    return [...this.chats.values()].filter(isPeckish);
  }

  /** As it is recorded. */
  behind(): Record<string, ChatBehind> {
    const behind: Record<string, ChatBehind> = {};
    for (const { key, due, count, restFrom, failing } of this.chats.values()) {
      const from = due[0]?.revision ?? restFrom;
      if (from !== undefined) behind[key] = { from, count, ...(failing && { failing }) };
    }
    return behind;
  }

  /**
   * Where nothing of any chat gets through, it is the receiver that fails, and has failed for a chat that had no room until
   * now as well: it does not begin its 24 h anew.
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
    const most = chat.failing === undefined ? mostOfChat : 1;
    if (chat.due.length >= most || (this.#held >= mostHeld && chat.due.length > 0)) return false;
    chat.due.push(due);
    if (chat.failing !== undefined) due.event = undefined;
    else this.#held += 1;
    return true;
  }

  #letGo(due: Due | undefined): void {
    if (due?.event === undefined) return;
    due.event = undefined;
    this.#held -= 1;
  }
}
