/** Attempts of a session in flight: requests to the endpoints of its webhooks at the same time. */
const maxInFlight = 8;
/** Of these, for deliveries that have failed before: chats that fail leave room for those that do not. */
const maxRetries = 6;

/**
 * Shares a session's attempts among its webhooks. For each webhook that is on, one stays free, so that an endpoint that
 * does not answer delays no other webhook. The others are shared evenly by those that have work.
 */
export class SessionAttempts {
  readonly #webhooks: () => number;
  /** In flight by webhook; absent without any. */
  readonly #held = new Map<object, number>();
  /** Called when there may be a place, in the order of asking. */
  readonly #waiting = new Map<object, () => void>();
  #inFlight = 0;
  #retries = 0;

  /** @param webhooks how many of the session are on */
  constructor(webhooks: () => number) {
    this.#webhooks = webhooks;
  }

  /**
   * Whether the webhook may begin an attempt.
   * @param onFree called once when it may be able to, if it may not now
   */
  mayBegin(webhook: object, onFree: () => void): boolean {
    if (this.#hasPlaceFor(webhook)) {
      this.#waiting.delete(webhook);
      return true;
    }
    this.wait(webhook, onFree);
    return false;
  }

  /** Whether that may be one of a delivery that has failed before. */
  mayRetry(webhook: object): boolean {
    return this.#retries < maxRetries || !this.#held.has(webhook);
  }

  /** Calls once when an attempt of the session has ended. */
  wait(webhook: object, onFree: () => void): void {
    this.#waiting.set(webhook, onFree);
  }

  begin(webhook: object, isRetry: boolean): void {
    this.#held.set(webhook, (this.#held.get(webhook) ?? 0) + 1);
    this.#inFlight += 1;
    if (isRetry) this.#retries += 1;
  }

  end(webhook: object, isRetry: boolean): void {
    const left = (this.#held.get(webhook) ?? 0) - 1;
    if (left > 0) this.#held.set(webhook, left);
    else this.#held.delete(webhook);
    this.#inFlight -= 1;
    if (isRetry) this.#retries -= 1;
    // Those that ask again meanwhile wait for the next one.
    const asking = new Map(this.#waiting);
    for (const [one, onFree] of asking) {
      if (one === webhook || !this.#waiting.delete(one)) continue;
      onFree();
    }
  }

  /** The webhook begins no attempt any more; those in flight still end. */
  forget(webhook: object): void {
    this.#waiting.delete(webhook);
  }

  #hasPlaceFor(webhook: object): boolean {
    if (this.#inFlight >= maxInFlight) return false;
    const own = this.#held.get(webhook) ?? 0;
    if (own === 0) return true;
    const others = this.#held.size - 1;
    const keptFree = Math.max(0, this.#webhooks() - 1 - others);
    if (this.#inFlight + keptFree >= maxInFlight) return false;
    const asking = this.#waiting.size + (this.#waiting.has(webhook) ? 0 : 1);
    return own < Math.ceil(maxInFlight / asking);
  }
}

/** The attempts of all sessions that have an outbox. */
export class AttemptsOfSessions {
  readonly #webhooks: (sessionId: string) => number;
  readonly #entered = new Map<string, { attempts: SessionAttempts; outboxes: number }>();

  /** @param webhooks how many of a session are on */
  constructor(webhooks: (sessionId: string) => number) {
    this.#webhooks = webhooks;
  }

  /** An outbox of the session begins. */
  enter(sessionId: string): SessionAttempts {
    const attempts = new SessionAttempts(() => this.#webhooks(sessionId));
    const entry = this.#entered.get(sessionId) ?? { attempts, outboxes: 0 };
    entry.outboxes += 1;
    this.#entered.set(sessionId, entry);
    return entry.attempts;
  }

  /** An outbox of the session ends. */
  leave(sessionId: string): void {
    const entry = this.#entered.get(sessionId);
    if (entry === undefined) return;
    entry.outboxes -= 1;
    if (entry.outboxes === 0) this.#entered.delete(sessionId);
  }
}
