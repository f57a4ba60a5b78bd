import {
  clusterStreams,
  operatorStreams,
  type ReportUnreadable,
  type StreamKind,
  singleStreams,
  streamKinds,
  type Unreadable,
  usageStreams,
} from './event-codec.ts';
import type { Log } from './log.ts';

/** Events remembered, so that each is logged and counted once. Beyond this number the oldest may be reported again. */
const rememberedEvents = 100_000;

/**
 * The events that could not be read since the start. Each is logged once and counted once, for all readers together.
 */
export class UnreadableEvents {
  readonly #log: Pick<Log, 'warn'>;
  readonly #streamPrefix: string;
  readonly #seen = new Set<string>();
  readonly #listeners: ReportUnreadable[] = [];
  readonly #counts = new Map<StreamKind, number>(
    [...streamKinds, ...singleStreams, ...operatorStreams, ...usageStreams, ...clusterStreams].map((kind) => [kind, 0]),
  );

  /** @param streamPrefix what a stream's name has before it in the store */
  constructor(log: Pick<Log, 'warn'>, streamPrefix = '') {
    this.#log = log;
    this.#streamPrefix = streamPrefix;
  }

  /** Calls the listener once for each event that is reported from now on. */
  listen(listener: ReportUnreadable): void {
    this.#listeners.push(listener);
  }

  /** Their number by kind of stream. */
  get counts(): ReadonlyMap<StreamKind, number> {
    return this.#counts;
  }

  /** Logs the place of the event and the reason, never its content. */
  readonly report: ReportUnreadable = (unreadable: Unreadable): void => {
    const { kind, stream, revision, reason } = unreadable;
    if (reason === 'erased') return;
    const event = `${stream} ${revision}`;
    if (this.#seen.has(event)) return;
    this.#remember(event);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#log.warn({ stream: `${this.#streamPrefix}${stream}`, revision, reason }, 'an event cannot be read');
    for (const listener of this.#listeners) listener(unreadable);
  };

  #remember(event: string): void {
    this.#seen.add(event);
    const [oldest] = this.#seen;
    if (this.#seen.size > rememberedEvents && oldest !== undefined) this.#seen.delete(oldest);
  }
}
