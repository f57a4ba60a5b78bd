import { SingleWriter, type SingleWriterDeps } from '../../../actors/kit/single-writer.ts';
import type { EventStore, NewEvent } from '../../../actors/ports/event-store.ts';
import { WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';

export interface RecentFactsDeps extends SingleWriterDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'truncate'>;
  /** Asked after the end of the stream was read. @throws if this process may not write */
  mustOwn?: (() => void) | undefined;
}

/** After another writer's append, one look at the end of the stream shows it. */
const maxTries = 3;

/**
 * A stream of which only the last minutes or hours are needed. What is recorded while an append is in flight goes with the
 * next one, and what is older than `keptMs` is cut off now and then.
 */
export class RecentFacts {
  readonly #deps: RecentFactsDeps;
  readonly #stream: string;
  readonly #keptMs: number;
  #writer: SingleWriter<NewEvent> | undefined;
  #pending: NewEvent[] = [];
  /** The append of what is pending. */
  #next: Promise<void> | undefined;
  #current: Promise<void> | undefined;
  /** What was recorded before this revision is older than `keptMs` when that has passed since. */
  #cut: { revision: number; at: number } | undefined;

  constructor(deps: RecentFactsDeps, stream: string, keptMs: number) {
    this.#deps = deps;
    this.#stream = stream;
    this.#keptMs = keptMs;
  }

  /** Resolves when the event is recorded. @throws {StoreUnavailableError} it may have been recorded */
  record(event: NewEvent): Promise<void> {
    this.#pending.push(event);
    this.#next ??= this.#appendNext();
    return this.#next;
  }

  async #appendNext(): Promise<void> {
    await this.#current?.catch(() => {});
    const events = this.#pending.splice(0);
    this.#next = undefined;
    this.#current = this.#append(events);
    await this.#current;
  }

  /** After a failure the end of the stream is unknown, and is read again. */
  async #append(events: readonly NewEvent[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        this.#writer ??= new SingleWriter(this.#deps, { stream: this.#stream, revision: await this.#end() });
        this.#deps.mustOwn?.();
        const { revision } = await this.#writer.write(events);
        await this.#trim(revision);
        return;
      } catch (error) {
        this.#writer = undefined;
        if (!(error instanceof WrongExpectedRevisionError) || tries >= maxTries) throw error;
      }
    }
  }

  async #end(): Promise<number> {
    return (await this.#deps.store.last(this.#stream))?.revision ?? -1;
  }

  async #trim(revision: number): Promise<void> {
    const now = this.#deps.clock.elapsed();
    if (this.#cut !== undefined && now - this.#cut.at < this.#keptMs) return;
    const before = this.#cut?.revision;
    this.#cut = { revision, at: now };
    // If it fails it is cut off the next time.
    if (before !== undefined) await this.#deps.store.truncate(this.#stream, before).catch(() => {});
  }
}
