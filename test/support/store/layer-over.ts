import type { EventStore } from '../../../actors/ports/event-store.ts';

/** A store that does some things otherwise, and hands the rest on to the store below it. */
export function layerOver(below: EventStore, otherwise: Partial<EventStore>): EventStore {
  return {
    append: (stream, expected, events) => below.append(stream, expected, events),
    last: (stream) => below.last(stream),
    lastOfEach: (prefix) => below.lastOfEach(prefix),
    read: (stream, options) => below.read(stream, options),
    readAll: (options) => below.readAll(options),
    subscribeAll: (options) => below.subscribeAll(options),
    truncate: (stream, before) => below.truncate(stream, before),
    erase: (stream) => below.erase(stream),
    close: () => below.close(),
    ...otherwise,
  };
}
