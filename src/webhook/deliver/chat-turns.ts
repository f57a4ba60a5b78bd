import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { ChatQueue } from './chat-queues.ts';

/** Chats of a session with an attempt in flight: requests to its endpoint at the same time. */
const maxInFlight = 8;

export interface ChatTurnsDeps {
  clock: Clock;
  slots: AttemptSlots;
  /** Tries the first delivery of a chat. Never rejects. */
  deliver: (chat: ChatQueue) => Promise<void>;
  /** A delivery of the chat has been tried, and its next turn is arranged. */
  onTried: (chat: ChatQueue) => void;
  /** The time that {@link ChatTurns.wakeAt} was called with has come. */
  onWake: () => void;
}

/** Gives the chats of a session their turns: within a chat one delivery after the other, several chats side by side. */
export class ChatTurns {
  readonly #deps: ChatTurnsDeps;
  readonly #ready = new Set<ChatQueue>();
  readonly #inFlight = new Map<ChatQueue, Promise<void>>();
  #timer: TimerHandle | undefined;
  #isOver = false;

  constructor(deps: ChatTurnsDeps) {
    this.#deps = deps;
  }

  /** Gives a turn to each chat that is due, and sets the timer for those that wait. */
  look(chats: Iterable<ChatQueue>): void {
    for (const chat of chats) this.#lookAt(chat);
    this.#pump();
  }

  wakeAt(at: number): void {
    const { clock, onWake } = this.#deps;
    if (this.#isOver || (this.#timer !== undefined && this.#timer.dueAt <= at)) return;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      onWake();
    }, at - clock.now());
  }

  /** Begins nothing new. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#deps.slots.forget(this.#pump);
  }

  /** Resolves when nothing is in flight any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  #lookAt(chat: ChatQueue): void {
    if (this.#inFlight.has(chat) || this.#ready.has(chat)) return;
    const nextAt = chat.failing?.nextAt ?? 0;
    if (nextAt > 0 && nextAt > this.#deps.clock.now()) this.wakeAt(nextAt);
    else if (chat.due.length > 0) this.#ready.add(chat);
  }

  readonly #pump = (): void => {
    for (const chat of this.#ready) {
      if (this.#isOver || this.#inFlight.size >= maxInFlight) return;
      if (!this.#deps.slots.take(this.#inFlight.size, this.#pump)) return;
      this.#ready.delete(chat);
      this.#inFlight.set(chat, this.#take(chat));
    }
  };

  async #take(chat: ChatQueue): Promise<void> {
    await this.#deps.deliver(chat);
    this.#deps.slots.release(this.#inFlight.size);
    this.#inFlight.delete(chat);
    if (this.#isOver) return;
    // An attempt changes its own chat alone.
    this.#lookAt(chat);
    this.#pump();
    this.#deps.onTried(chat);
  }
}
