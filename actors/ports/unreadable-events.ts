import { type ReportUnreadable, type StreamKind, streamKinds, type Unreadable } from './event-codec.ts';
import type { Log } from './log.ts';

/** Events remembered, so that each is logged and counted once. Beyond that the oldest may come again. */
const rememberedEvents = 100_000;

/** The events that could not be read since the start: each is logged once and counted once, however many readers meet it. */
export class UnreadableEvents {
  readonly #log: Pick<Log, 'warn'>;
  readonly #seen = new Set<string>();
  readonly #listeners: ReportUnreadable[] = [];
  readonly #counts = new Map<StreamKind, number>(streamKinds.map((kind) => [kind, 0]));

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** Calls the listener once for each event that is reported from now on. */
  listen(listener: ReportUnreadable): void {
    this.#listeners.push(listener);
  }

  /** How many of each kind of stream. */
  get counts(): ReadonlyMap<StreamKind, number> {
    return this.#counts;
  }

  /** Logs where the event is and why it cannot be read, never what it holds. */
  readonly report: ReportUnreadable = (unreadable: Unreadable): void => {
    const { kind, stream, revision, reason } = unreadable;
    if (reason === 'erased') return;
    const event = `${stream} ${revision}`;
    if (this.#seen.has(event)) return;
    this.#remember(event);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#log.warn({ stream, revision, reason }, 'an event cannot be read');
    for (const listener of this.#listeners) listener(unreadable);
  };

  #remember(event: string): void {
    this.#seen.add(event);
    const [oldest] = this.#seen;
    if (this.#seen.size > rememberedEvents && oldest !== undefined) this.#seen.delete(oldest);
  }
}
