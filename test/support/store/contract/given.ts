import { randomUUID } from 'node:crypto';
import type {
  EventStore,
  Json,
  NewEvent,
  RecordedEvent,
  SubscribeOptions,
} from '../../../../actors/ports/event-store.ts';

/** An event that nobody has appended yet. */
export function newEvent(data: Json = {}, type = 'SomethingHappened'): NewEvent {
  return { id: randomUUID(), type, data, metadata: { by: 'test' } };
}

export const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => newEvent({ index }));

/** In the name of every stream of this run: the store may be shared with other runs. */
export const runName = `test_${randomUUID().slice(0, 8)}`;

/** A name that no other rule uses: the store may be shared. */
export const newName = (): string => `${runName}_${randomUUID()}`;

export async function collect(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const idsOf = (events: readonly Pick<NewEvent, 'id'>[]): string[] => events.map(({ id }) => id);

/** Appends events one after the other, in one call each. */
export async function fill(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> {
  for (const event of events) await store.append(stream, 'any', [event]);
}

/** A promise, and what settles it. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const settle: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => {
    settle.resolve = resolve;
  });
  return { promise, resolve: (value) => settle.resolve?.(value) };
}

/** Follows a store and lets a test wait for what it has seen: nothing here sleeps. */
export class Follower {
  readonly seen: RecordedEvent[] = [];
  readonly errors: unknown[] = [];
  readonly caughtUp: Promise<void>;
  /** How many events had been seen each time it was told that it has caught up. */
  readonly caughtUpAt: number[] = [];
  readonly failed: Promise<unknown>;
  readonly stop: () => Promise<void>;
  #waiting: { count: number; resolve: () => void }[] = [];

  constructor(
    store: EventStore,
    options: Pick<SubscribeOptions, 'after' | 'prefixes' | 'types'>,
    handle: (event: RecordedEvent) => void | Promise<void> = () => {},
  ) {
    const caughtUp = deferred();
    const failed = deferred<unknown>();
    this.caughtUp = caughtUp.promise;
    this.failed = failed.promise;
    const subscription = store.subscribeAll({
      ...options,
      onEvent: (event) => {
        this.#see(event);
        return handle(event);
      },
      onCaughtUp: () => {
        this.caughtUpAt.push(this.seen.length);
        caughtUp.resolve();
      },
      onError: (error) => {
        this.errors.push(error);
        failed.resolve(error);
      },
    });
    this.stop = () => subscription.stop();
  }

  /** Resolves when so many events have been seen. */
  has(count: number): Promise<void> {
    if (this.seen.length >= count) return Promise.resolve();
    const { promise, resolve } = deferred();
    this.#waiting.push({ count, resolve });
    return promise;
  }

  #see(event: RecordedEvent): void {
    this.seen.push(event);
    for (const { count, resolve } of this.#waiting) if (this.seen.length >= count) resolve();
  }
}
