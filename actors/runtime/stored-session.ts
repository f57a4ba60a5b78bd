import type { LightAbortSignal } from '../kit/light-abort.ts';
import { inTurns } from '../kit/next-turn.ts';
import { type RetryDeps, retry } from '../kit/retry.ts';
import { storeAway } from '../kit/retry-policy.ts';
import { sleep } from '../kit/sleep.ts';
import { isUnreadable, type ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import { sessionIdOf, sessionPrefix, sessionStream } from '../session/events.ts';
import { type Lifecycle, sessionLifecycle } from '../session/lifecycle.ts';
import { type Committed, restore, type SessionEnd } from '../session/restore.ts';
import { createSessionCodec, type SessionCodec, sessionCodec } from '../session/session-codec.ts';
import { readSession } from './read-session.ts';

/** Ends of streams that are looked at in a turn of the event loop: about 5 ms. */
const endsPerTurn = 250;
/** After a stream was not found, before it is looked for again. */
const secondLookMs = 1_000;

export interface StoredSessionsDeps extends RetryDeps {
  store: Pick<EventStore, 'last' | 'lastOfEach' | 'read'>;
  log: Log;
  reportUnreadable: ReportUnreadable;
}

/**
 * What a session's stream says: how it is, that it is deleted, or that its last event cannot be read (FA7). Then the
 * session is `held`, or `foreign` if no event of the stream can be read: another program may have written it.
 */
export type StoredSession = Committed | 'deleted' | 'held' | 'foreign';

/** A session of the store; `read` says how it is. */
export interface FoundSession {
  id: string;
  /** @throws {StoreUnavailableError} */
  read: () => Promise<StoredSession>;
}

/** Reads how sessions are from the end of their streams. */
export class StoredSessions {
  readonly #deps: StoredSessionsDeps;
  readonly #lifecycle: Lifecycle;
  readonly #codec: SessionCodec;

  constructor(deps: StoredSessionsDeps, lifecycle: Lifecycle) {
    this.#deps = deps;
    this.#lifecycle = lifecycle;
    this.#codec = lifecycle === sessionLifecycle ? sessionCodec : createSessionCodec(lifecycle);
  }

  /**
   * All sessions of the store; those that are deleted may be missing.
   * @param known the ends of their streams, if a reader of the log remembers them. Otherwise the store is asked.
   */
  async *all(known: Iterable<SessionEnd> | undefined): AsyncGenerator<FoundSession> {
    if (known === undefined) {
      for await (const last of this.#deps.store.lastOfEach(sessionPrefix)) {
        const id = sessionIdOf(last.stream);
        yield { id, read: () => this.read(id, last) };
      }
      return;
    }
    for await (const end of inTurns(known, endsPerTurn)) {
      yield { id: end.id, read: async () => end.committed ?? (await this.#readLast(end.id)) ?? 'deleted' };
    }
  }

  /** @param last the last event of the stream. @throws {StoreUnavailableError} */
  async read(sessionId: string, last: RecordedEvent): Promise<StoredSession> {
    const event = this.#codec.decode(last);
    if (!isUnreadable(event)) return this.#isFinal(event.metadata.to) ? 'deleted' : restore(event);
    // An interrupted erasure of the whole stream.
    if (event.reason === 'erased') return 'deleted';
    const log = { ...this.#deps, codec: this.#codec };
    for await (const { metadata } of readSession(log, sessionId, { direction: 'backwards', limit: 1 })) {
      // Nothing of ours follows a deletion.
      return this.#isFinal(metadata.to) ? 'deleted' : 'held';
    }
    return 'foreign';
  }

  /**
   * Reads the end of the stream now, however long the store is away. A stream that is gone is looked for twice, because
   * an erasure cannot be undone. Undefined if the signal is aborted first, or if it cannot be read at all.
   */
  async readNow(sessionId: string, signal: LightAbortSignal): Promise<StoredSession | undefined> {
    try {
      const found = await this.#readPatiently(sessionId, signal);
      if (found !== undefined) return found;
      await sleep(this.#deps.clock, secondLookMs, signal);
      return (await this.#readPatiently(sessionId, signal)) ?? 'deleted';
    } catch (err) {
      if (!signal.aborted)
        this.#deps.log.error({ where: 'sessions', session: sessionId, err }, 'a session could not be read again');
      return undefined;
    }
  }

  /** Undefined if the stream has no event. */
  #readPatiently(sessionId: string, signal: LightAbortSignal): Promise<StoredSession | undefined> {
    const { log } = this.#deps;
    return retry(
      this.#deps,
      storeAway,
      () => this.#readLast(sessionId),
      signal,
      (err) => log.warn({ session: sessionId, err }, 'a session could not be read again yet'),
    );
  }

  async #readLast(sessionId: string): Promise<StoredSession | undefined> {
    const last = await this.#deps.store.last(sessionStream(sessionId));
    return last && (await this.read(sessionId, last));
  }

  #isFinal(state: Committed['metadata']['to']): boolean {
    return this.#lifecycle.isFinal(state);
  }
}
