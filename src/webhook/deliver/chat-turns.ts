import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { ChatQueue } from './chat-queues.ts';

/** Chats of a session with an attempt in flight: requests to its endpoint at the same time. */
const maxInFlight = 8;
/** Of these, for deliveries that have failed before: chats that fail leave room for those that do not. */
const maxRetriesInFlight = 6;

export interface ChatTurnsDeps {
  clock: Clock;
  slots: AttemptSlots;
  /** Tries the first delivery of a chat. Never rejects. */
  deliver: (chat: ChatQueue) => Promise<void>;
  /** An attempt of the chat has ended, and its next one is scheduled. */
  onTried: (chat: ChatQueue) => void;
  /** The time of {@link ChatTurns.wakeIn} is over. */
  onWake: () => void;
}

/**
 * Schedules the attempts of a session: within a chat one after the other, several chats concurrently. First attempts and
 * those after a failure take turns.
 */
export class ChatTurns {
  readonly #deps: ChatTurnsDeps;
  /** For a first attempt. */
  readonly #ready = new Set<ChatQueue>();
  readonly #readyAgain = new Set<ChatQueue>();
  readonly #inFlight = new Map<ChatQueue, Promise<void>>();
  #retriesInFlight = 0;
  #wasRetry = false;
  #timer: TimerHandle | undefined;
  #isOver = false;

  constructor(deps: ChatTurnsDeps) {
    this.#deps = deps;
  }

  /** Starts an attempt for each chat that is due, and sets the timer for those that wait. */
  look(chats: Iterable<ChatQueue>): void {
    for (const chat of chats) this.#lookAt(chat);
    this.#pump();
  }

  wakeIn(delayMs: number): void {
    const { clock, onWake } = this.#deps;
    if (this.#isOver || (this.#timer !== undefined && this.#timer.dueAt <= clock.elapsed() + delayMs)) return;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      onWake();
    }, delayMs);
  }

  /** Begins no attempt any more. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#deps.slots.forget(this.#pump);
  }

  /** Resolves when no attempt is in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  #lookAt(chat: ChatQueue): void {
    if (this.#inFlight.has(chat)) return;
    if (chat.dueAt !== undefined) this.wakeIn(chat.dueAt - this.#deps.clock.elapsed());
    else if (chat.due.length > 0) (isRetry(chat) ? this.#readyAgain : this.#ready).add(chat);
  }

  readonly #pump = (): void => {
    for (let chat = this.#next(); chat !== undefined; chat = this.#next()) {
      if (this.#isOver || this.#inFlight.size >= maxInFlight) return;
      if (!this.#deps.slots.take(this.#inFlight.size, this.#pump)) return;
      this.#wasRetry = this.#readyAgain.delete(chat);
      this.#ready.delete(chat);
      this.#inFlight.set(chat, this.#take(chat, this.#wasRetry));
    }
  };

  #next(): ChatQueue | undefined {
    const [first] = this.#ready;
    const [again] = this.#retriesInFlight < maxRetriesInFlight ? this.#readyAgain : [];
    return this.#wasRetry ? (first ?? again) : (again ?? first);
  }

  async #take(chat: ChatQueue, isRetried: boolean): Promise<void> {
    if (isRetried) this.#retriesInFlight += 1;
    await this.#deps.deliver(chat);
    if (isRetried) this.#retriesInFlight -= 1;
    this.#deps.slots.release(this.#inFlight.size);
    this.#inFlight.delete(chat);
    if (this.#isOver) return;
    // An attempt changes its own chat alone.
    this.#lookAt(chat);
    this.#pump();
    this.#deps.onTried(chat);
  }
}

const isRetry = ({ failing }: ChatQueue): boolean => (failing?.attempts ?? 0) > 0;
