import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { nextTurn } from '../../../../actors/kit/next-turn.ts';
import { isRetryable } from '../../../../actors/kit/retryable.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { type RecordedEvent, type SubscribeOptions, type Subscription } from '../../../../actors/ports/event-store.ts';
import { isWanted } from '../../../../actors/ports/wanted-events.ts';
import type { EventPage } from './event-reader.ts';

/** Subscribers that are behind read from it. */
export interface SubscriberLog {
  head(): bigint;
  page(after: bigint, prefixes: readonly string[] | undefined): EventPage;
}

/** If more events than this wait in memory, the subscriber reads them from the store instead. */
const maxQueuedEvents = 1000;
/** Pause before a failed read is retried. */
const retryMs = 1000;

/** Delivers committed events: in the turn of the commit to subscribers that are up to date, in pages to the others. */
export class Subscribers {
  #log: SubscriberLog;
  #clock: Clock;
  #all = new Set<Subscriber>();

  constructor(log: SubscriberLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  add(options: SubscribeOptions): Subscription {
    const subscriber = new Subscriber(options, this.#log, this.#clock);
    this.#all.add(subscriber);
    subscriber.start();
    return {
      stop: () => {
        this.#all.delete(subscriber);
        return subscriber.stop();
      },
    };
  }

  /** Newly committed events in order. */
  publish(stream: string, events: () => RecordedEvent[]): void {
    let made: RecordedEvent[] | undefined;
    for (const subscriber of this.#all) {
      if (!subscriber.wants(stream)) continue;
      made ??= events();
      subscriber.receive(made);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((subscriber) => subscriber.stop()));
    this.#all.clear();
  }
}

class Subscriber {
  #options: SubscribeOptions;
  #log: SubscriberLog;
  #clock: Clock;
  /** Everything up to this position has been handed over or filtered out. */
  #cursor: bigint;
  /** Position of the newest event at the start. */
  #target: bigint | undefined;
  #caughtUp = false;
  /** Up to date: events come from commits. If false, they are read from the store. */
  #live = false;
  #queue: RecordedEvent[] = [];
  #running: Promise<void> | undefined;
  readonly #stop = new LightAbort();

  constructor(options: SubscribeOptions, log: SubscriberLog, clock: Clock) {
    this.#options = options;
    this.#log = log;
    this.#clock = clock;
    this.#cursor = options.after ?? 0n;
  }

  start(): void {
    this.#running = this.#pump(undefined);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the subscriber is stopped'));
    this.#queue = [];
    await this.#running;
  }

  wants(stream: string): boolean {
    if (this.#stop.aborted || !this.#live) return false;
    return this.#options.prefixes?.some((prefix) => stream.startsWith(prefix)) ?? true;
  }

  /** Calls the handler at once while it keeps up: when an append resolves, its events have been handled. */
  receive(events: readonly RecordedEvent[]): void {
    for (const [index, event] of events.entries()) {
      if (this.#running !== undefined) {
        this.#enqueue(events.slice(index));
        return;
      }
      const handling = this.#handOver(event);
      if (handling !== undefined) this.#running = this.#pump(handling);
      if (this.#stop.aborted) return;
    }
  }

  #enqueue(events: readonly RecordedEvent[]): void {
    this.#queue.push(...events);
    if (this.#queue.length <= maxQueuedEvents) return;
    this.#queue = [];
    this.#live = false;
  }

  async #pump(handling: Promise<void> | undefined): Promise<void> {
    await handling;
    while (!this.#stop.aborted) {
      const event = this.#queue.shift();
      if (event !== undefined) await this.#handOver(event);
      else if (!this.#live) await this.#readOn();
      else break;
    }
    this.#running = undefined;
  }

  /** Hands over the next page. After the last page, events come from commits. */
  async #readOn(): Promise<void> {
    const page = this.#nextPage();
    if (page === undefined) return sleep(this.#clock, retryMs, this.#stop).catch(() => {});
    this.#live = page.atEnd && page.events.length === 0;
    for (const event of page.events) {
      const handling = this.#handOver(event);
      if (handling !== undefined) await handling;
      if (this.#stop.aborted) return;
    }
    this.#cursor = page.upTo;
    if (!this.#caughtUp && (this.#live || this.#cursor >= (this.#target ?? 0n))) {
      this.#caughtUp = true;
      this.#options.onCaughtUp?.();
    }
    if (!this.#live) await nextTurn();
  }

  #nextPage(): EventPage | undefined {
    try {
      this.#target ??= this.#log.head();
      return this.#log.page(this.#cursor, this.#options.prefixes);
    } catch (error) {
      if (!isRetryable(error)) this.#fail(error);
      return undefined;
    }
  }

  /** Returns a promise only if the handler does. */
  #handOver(event: RecordedEvent): Promise<void> | undefined {
    try {
      if (!isWanted(this.#options, event)) {
        this.#cursor = event.position;
        return undefined;
      }
      const handling = this.#options.onEvent(event);
      if (handling !== undefined) return this.#afterHandling(handling, event.position);
      this.#cursor = event.position;
    } catch (error) {
      this.#fail(error);
    }
    return undefined;
  }

  async #afterHandling(handling: Promise<void>, position: bigint): Promise<void> {
    try {
      await handling;
      this.#cursor = position;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stop.abort(new Error('the handler failed'));
    this.#queue = [];
    this.#options.onError?.(error);
  }
}
