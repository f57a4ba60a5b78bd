import {
  type Appended,
  type EventStore,
  type NewEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../ports/event-store.ts';
import { LightAbort } from './light-abort.ts';
import type { OnRetry, RetryDeps } from './retry.ts';
import { type RetryPolicy, storeHiccup } from './retry-policy.ts';
import { isRetryable } from './retryable.ts';
import { sleep } from './sleep.ts';

export interface SingleWriterDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last'>;
}

export interface SingleWriterOptions {
  stream: string;
  /** Revision of the stream's last event; -1 if it has none. */
  revision: number;
  /** Default: impatient, `storeHiccup`. */
  policy?: RetryPolicy;
  /** Called before an append is tried again. */
  onRetry?: OnRetry;
}

/** Events that are recorded, the first at `revision - events.length + 1`. */
export interface Written<E> {
  events: readonly E[];
  /** Of the last of them. */
  revision: number;
  /** Of the last of them. */
  position: bigint;
}

/**
 * The only writer of one stream: nothing is lost, and nothing is recorded twice. It knows the revision of the stream's end,
 * and an append has the same expected revision and the same event IDs each time it is tried, so that the store records it
 * once. An append that was given up leaves a doubt, because it may have been recorded all the same: nothing more is
 * written until {@link SingleWriter.settle} has read whether it was. What the events are is the caller's business.
 */
export class SingleWriter<E extends { readonly id: string }> {
  readonly stream: string;
  readonly #deps: SingleWriterDeps;
  readonly #policy: RetryPolicy;
  readonly #onRetry: OnRetry | undefined;
  readonly #closing = new LightAbort();
  #revision: number;
  #doubtful: readonly E[] | undefined;

  constructor(deps: SingleWriterDeps, { stream, revision, policy = storeHiccup, onRetry }: SingleWriterOptions) {
    this.#deps = deps;
    this.stream = stream;
    this.#revision = revision;
    this.#policy = policy;
    this.#onRetry = onRetry;
  }

  /** Whether it is unknown if the last append was recorded. */
  get inDoubt(): boolean {
    return this.#doubtful !== undefined;
  }

  /**
   * Appends the events, all or none. One call at a time.
   * @throws {WrongExpectedRevisionError} something else has written to the stream: it has to be read anew, by a new writer
   * @throws {StoreUnavailableError} the policy gave up; the outcome is in doubt
   * @throws the reason of {@link close}; the outcome is in doubt
   */
  async write(events: readonly E[]): Promise<Written<E>> {
    if (this.#doubtful !== undefined) throw new Error(`${this.stream}: the append before is not settled`);
    this.#closing.throwIfAborted();
    this.#doubtful = events;
    let appended: Appended;
    try {
      appended = await this.#append(events);
    } catch (error) {
      appended = await this.#retry(events, error);
    }
    return this.#reached(events, appended);
  }

  /**
   * Reads whether the append in doubt was recorded, and returns it if so.
   * @throws {WrongExpectedRevisionError} something else has written to the stream
   * @throws {StoreUnavailableError} the doubt remains
   */
  async settle(): Promise<Written<E> | undefined> {
    const events = this.#doubtful;
    if (events === undefined) return undefined;
    const last = await this.#deps.store.last(this.stream);
    if (last !== undefined && last.id === events.at(-1)?.id) return this.#reached(events, last);
    this.#doubtful = undefined;
    const actual = last?.revision ?? -1;
    if (actual !== this.#revision) throw new WrongExpectedRevisionError(this.stream, this.#expected(), actual);
    return undefined;
  }

  /** Ends a wait between two tries; a try that is in flight is awaited. */
  close(reason: Error = new StoreUnavailableError(`${this.stream} is closed`)): void {
    this.#closing.abort(reason);
  }

  async #retry(events: readonly E[], failure: unknown): Promise<Appended> {
    let error = failure;
    for (let failures = 1; ; failures++) {
      const delayMs = isRetryable(error) ? this.#policy.delayMs(failures, this.#deps.random) : undefined;
      if (delayMs === undefined) throw error;
      this.#closing.throwIfAborted();
      this.#onRetry?.(error, failures, delayMs);
      await sleep(this.#deps.clock, delayMs, this.#closing);
      try {
        return await this.#repeat(events);
      } catch (next) {
        error = next;
      }
    }
  }

  /** A store that recognises a repeated append says nothing of what has been written behind it. */
  async #repeat(events: readonly E[]): Promise<Appended> {
    await this.#append(events);
    const last = await this.#deps.store.last(this.stream);
    if (last !== undefined && last.id === events.at(-1)?.id) return last;
    this.#doubtful = undefined;
    throw new WrongExpectedRevisionError(this.stream, this.#expected(), last?.revision ?? -1);
  }

  async #append(events: readonly E[]): Promise<Appended> {
    try {
      // Interfaces have no index signature, but events are JSON.
      return await this.#deps.store.append(this.stream, this.#expected(), events as unknown as readonly NewEvent[]);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      return await this.#resolveConflict(events, error);
    }
  }

  /** What stands in the way may be an earlier try, in a store that does not recognise its own events. */
  async #resolveConflict(events: readonly E[], error: WrongExpectedRevisionError): Promise<Appended> {
    const last = await this.#deps.store.last(this.stream);
    if (last !== undefined && last.id === events.at(-1)?.id) return last;
    this.#doubtful = undefined;
    throw error;
  }

  #reached(events: readonly E[], { revision, position }: Appended): Written<E> {
    this.#doubtful = undefined;
    this.#revision = revision;
    return { events, revision, position };
  }

  #expected(): number | 'no-stream' {
    return this.#revision < 0 ? 'no-stream' : this.#revision;
  }
}
