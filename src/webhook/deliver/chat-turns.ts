import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { ChatQueue } from './chat-queues.ts';

/** At once to one receiver: that many chats side by side. */
const mostUnderWay = 8;

export interface ChatTurnsDeps {
  clock: Clock;
  slots: AttemptSlots;
  /** Tries the first one of a chat. Never rejects. */
  deliver: (chat: ChatQueue) => Promise<void>;
  /** One of a chat has been tried, and its next turn has been seen to. */
  onTried: (chat: ChatQueue) => void;
  /** The time has come that a chat has waited for. */
  onWake: () => void;
}

/** Whose turn it is in a session: in each chat one delivery after the other, all of them side by side. */
export class ChatTurns {
  readonly #setting: ChatTurnsDeps;
  readonly #ready = new Set<ChatQueue>();
  readonly #underWay = new Map<ChatQueue, Promise<void>>();
  #timer: TimerHandle | undefined;
  #isOver = false;

  constructor(setting: ChatTurnsDeps) {
    this.#setting = setting;
  }

  /** Chats whose turn has come get it; for the others, when it comes. */
  look(chats: Iterable<ChatQueue>): void {
    for (const chat of chats) this.#lookAt(chat);
    this.#pump();
  }

  wakeAt(at: number): void {
    const { clock, onWake } = this.#setting;
    if (this.#isOver || (this.#timer !== undefined && this.#timer.dueAt <= at)) return;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      onWake();
    }, at - clock.now());
  }

  /** Nothing new is begun. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#setting.clock.clearTimeout(this.#timer);
    this.#setting.slots.forget(this.#pump);
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #lookAt(chat: ChatQueue): void {
    if (this.#underWay.has(chat) || this.#ready.has(chat)) return;
    const nextAt = chat.failing?.nextAt ?? 0;
    if (nextAt > 0 && nextAt > this.#setting.clock.now()) this.wakeAt(nextAt);
    else if (chat.due.length > 0) this.#ready.add(chat);
  }

  readonly #pump = (): void => {
    for (const chat of this.#ready) {
      if (this.#isOver || this.#underWay.size >= mostUnderWay) return;
      if (!this.#setting.slots.take(this.#underWay.size, this.#pump)) return;
      this.#ready.delete(chat);
      this.#underWay.set(chat, this.#take(chat));
    }
  };

  async #take(chat: ChatQueue): Promise<void> {
    await this.#setting.deliver(chat);
    this.#setting.slots.release(this.#underWay.size);
    this.#underWay.delete(chat);
    if (this.#isOver) return;
    // What one attempt changes is about its own chat alone.
    this.#lookAt(chat);
    this.#pump();
    this.#setting.onTried(chat);
  }
}
