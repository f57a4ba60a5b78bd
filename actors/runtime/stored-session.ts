import type { LightAbortSignal } from '../kit/light-abort.ts';
import { type RetryDeps, retry } from '../kit/retry.ts';
import { storeAway } from '../kit/retry-policy.ts';
import { sleep } from '../kit/sleep.ts';
import { isUnreadable, type ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import { sessionStream } from '../session/events.ts';
import { type Lifecycle, sessionLifecycle } from '../session/lifecycle.ts';
import { type Committed, restore } from '../session/restore.ts';
import { createSessionCodec, type SessionCodec, sessionCodec } from '../session/session-codec.ts';
import { readSession } from './read-session.ts';

/** After a stream was not found, before it is looked for again. */
const secondLookMs = 1_000;

export interface StoredSessionsDeps extends RetryDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  log: Log;
  reportUnreadable: ReportUnreadable;
}

/**
 * What a session's stream says: how it is, that it is deleted, or that its last event cannot be read (FA7). Then the
 * session is `held`, or `foreign` if no event of the stream can be read: another program may have written it.
 */
export type StoredSession = Committed | 'deleted' | 'held' | 'foreign';

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
      if (!signal.aborted) this.#deps.log.error({ session: sessionId, err }, 'a session could not be read again');
      return undefined;
    }
  }

  /** Undefined if the stream has no event. */
  #readPatiently(sessionId: string, signal: LightAbortSignal): Promise<StoredSession | undefined> {
    const { store, log } = this.#deps;
    const read = async (): Promise<StoredSession | undefined> => {
      const last = await store.last(sessionStream(sessionId));
      return last && (await this.read(sessionId, last));
    };
    return retry(this.#deps, storeAway, read, signal, (err) =>
      log.warn({ session: sessionId, err }, 'a session could not be read again yet'),
    );
  }

  #isFinal(state: Committed['metadata']['to']): boolean {
    return this.#lifecycle.isFinal(state);
  }
}
