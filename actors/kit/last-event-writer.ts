import { type EventStore, type NewEvent, WrongExpectedRevisionError } from '../ports/event-store.ts';

export interface LastEventWriterDeps {
  store: Pick<EventStore, 'append' | 'last'>;
  /**
   * Asked between the look at the end of the stream and the append: nobody else may write then. @throws what is thrown by a
   * write, if this process is not the owner of the stream any more
   */
  mustOwn?: (() => void) | undefined;
}

/** After another writer's append, one look at the end of the stream shows it. */
const maxTries = 3;

/**
 * Writes a stream of which the last event alone counts, because each has everything. An earlier owner's append may come in
 * between: then the end is read, and the event is appended behind it. If it is unknown whether an event was recorded, the
 * next one stands behind it, too. One call at a time.
 */
export class LastEventWriter {
  readonly #deps: LastEventWriterDeps;
  readonly #stream: string;
  /** Of the stream's last event; -1: it has none; undefined: it has to be read. */
  #revision: number | undefined;

  constructor(deps: LastEventWriterDeps, stream: string) {
    this.#deps = deps;
    this.#stream = stream;
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
