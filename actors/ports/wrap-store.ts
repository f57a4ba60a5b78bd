import type { EventStore } from './event-store.ts';

/**
 * A store with another `append`; every other call goes to the given store, which stays unchanged. The methods are written
 * out: a proxy or a copy of an adapter's methods would be slower or lose the adapter's private fields.
 */
export function wrapStore(store: EventStore, append: EventStore['append']): EventStore {
  return {
    append,
    last: (stream) => store.last(stream),
    lastOfEach: (prefix) => store.lastOfEach(prefix),
    read: (stream, options) => store.read(stream, options),
    readAll: (options) => store.readAll(options),
    subscribeAll: (options) => store.subscribeAll(options),
    truncate: (stream, before) => store.truncate(stream, before),
    erase: (stream) => store.erase(stream),
    close: () => store.close(),
  };
}
