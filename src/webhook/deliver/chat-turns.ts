import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { Failing } from '../stream/outbox-progress.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { SessionAttempts } from './session-attempts.ts';

/** What takes turns: its deliveries are made one after the other. */
interface Lane {
  /** Its pending deliveries that may be tried. */
  readonly due: { readonly length: number };
  /** When its next attempt is due, by the clock's `elapsed()`; undefined: it does not wait. */
  readonly dueAt: number | undefined;
  readonly failing: Pick<Failing, 'attempts'> | undefined;
}

export interface ChatTurnsDeps<Chat extends Lane> {
  clock: Clock;
  slots: AttemptSlots;
  /** Of the session, shared with its other webhooks. */
  attempts: SessionAttempts;
  /** Tries the first delivery of a chat. Never rejects. */
  deliver: (chat: Chat) => Promise<void>;
  /** An attempt of the chat has ended, and its next one is scheduled. */
  onTried: (chat: Chat) => void;
  /** The time of {@link ChatTurns.wakeIn} is over. */
  onWake: () => void;
}

/**
 * Schedules the attempts of a webhook: within a chat one after the other, several chats concurrently. First attempts and
 * those after a failure take turns.
 */
export class ChatTurns<Chat extends Lane> {
  readonly #deps: ChatTurnsDeps<Chat>;
  /** For a first attempt. */
  readonly #ready = new Set<Chat>();
  readonly #readyAgain = new Set<Chat>();
  readonly #inFlight = new Map<Chat, Promise<void>>();
  #wasRetry = false;
  #timer: TimerHandle | undefined;
  #isOver = false;

  constructor(deps: ChatTurnsDeps<Chat>) {
    this.#deps = deps;
  }

  /** Starts an attempt for each chat that is due, and sets the timer for those that wait. */
  look(chats: Iterable<Chat>): void {
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
    this.#deps.attempts.forget(this);
  }

  /** Resolves when no attempt is in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  #lookAt(chat: Chat): void {
    if (this.#inFlight.has(chat)) return;
    if (chat.dueAt !== undefined) this.wakeIn(chat.dueAt - this.#deps.clock.elapsed());
    else if (chat.due.length > 0) (isRetry(chat) ? this.#readyAgain : this.#ready).add(chat);
  }

  readonly #pump = (): void => {
    const { slots, attempts } = this.#deps;
    for (let chat = this.#next(); chat !== undefined; chat = this.#next()) {
      if (this.#isOver || !attempts.mayBegin(this, this.#pump)) return;
      if (!slots.take(this.#inFlight.size, this.#pump)) return;
      this.#wasRetry = this.#readyAgain.delete(chat);
      this.#ready.delete(chat);
      attempts.begin(this, this.#wasRetry);
      this.#inFlight.set(chat, this.#take(chat, this.#wasRetry));
    }
    // The session has as many retries in flight as it may have.
    if (this.#readyAgain.size > 0 && !this.#isOver) attempts.wait(this, this.#pump);
  };

  #next(): Chat | undefined {
    const [first] = this.#ready;
    const [again] = this.#deps.attempts.mayRetry(this) ? this.#readyAgain : [];
    return this.#wasRetry ? (first ?? again) : (again ?? first);
  }

  async #take(chat: Chat, isRetried: boolean): Promise<void> {
    await this.#deps.deliver(chat);
    this.#deps.slots.release(this.#inFlight.size);
    this.#inFlight.delete(chat);
    this.#deps.attempts.end(this, isRetried);
    if (this.#isOver) return;
    // An attempt changes its own chat alone.
    this.#lookAt(chat);
    this.#pump();
    this.#deps.onTried(chat);
  }
}

const isRetry = ({ failing }: Lane): boolean => (failing?.attempts ?? 0) > 0;
