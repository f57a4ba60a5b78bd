import { type EventStore, type NewEvent, WrongExpectedRevisionError } from '../ports/event-store.ts';

export interface LastEventWriterDeps {
  store: Pick<EventStore, 'append' | 'last'>;
  /**
   * Called after the end of the stream was read, and before the append. It throws if another process owns the stream now; the
   * write then ends with that error.
   */
  mustOwn?: (() => void) | undefined;
}

/** Of appends at a revision that another writer has taken. */
const maxTries = 3;

/**
 * Writes a stream of which only the last event counts: each event holds the whole state. If an earlier owner has appended
 * meanwhile, the writer reads the end of the stream and appends behind it. It does the same after an append whose outcome it
 * does not know. One call at a time.
 */
export class LastEventWriter {
  readonly #deps: LastEventWriterDeps;
  readonly #stream: string;
  /** Of the stream's last event; -1: it has none; undefined: it has to be read. */
  #revision: number | undefined;

  /** @param revision of the stream's last event, if it was read just before; -1: there is none. Default: it is read */
  constructor(deps: LastEventWriterDeps, stream: string, revision?: number) {
    this.#deps = deps;
    this.#stream = stream;
    this.#revision = revision;
  }

  /** @returns the revision of the event. @throws {StoreUnavailableError} it may have been recorded */
  async write(event: NewEvent): Promise<number> {
    const { store, mustOwn } = this.#deps;
    for (let tries = 1; ; tries++) {
      this.#revision ??= (await store.last(this.#stream))?.revision ?? -1;
      mustOwn?.();
      try {
        const expected = this.#revision < 0 ? 'no-stream' : this.#revision;
        ({ revision: this.#revision } = await store.append(this.#stream, expected, [event]));
        return this.#revision;
      } catch (error) {
        this.#revision = undefined;
        if (!(error instanceof WrongExpectedRevisionError) || tries >= maxTries) throw error;
      }
    }
  }
}
