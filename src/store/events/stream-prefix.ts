import { type EventReader, type RecordedEvent, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import { mustSayWhatIsWanted } from '../../../actors/ports/wanted-events.ts';
import type { OpenedStore } from './opened-store.ts';

/**
 * A store inside another one: it adds the prefix to every stream name in the store below. It neither shows nor changes
 * other streams, so that several gateways can share a server. An empty prefix returns the store itself.
 */
export function withStreamPrefix(below: OpenedStore, prefix: string): OpenedStore {
  if (prefix === '') return below;
  const name = (stream: string): string => `${prefix}${stream}`;
  return {
    ...withReaderPrefix(below, prefix),
    async append(stream, expected, events) {
      try {
        return await below.append(name(stream), expected, events);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        throw new WrongExpectedRevisionError(stream, error.expected, error.actual);
      }
    },
    subscribeAll: (wanted) => {
      mustSayWhatIsWanted(wanted);
      const { onEvent, prefixes, ...options } = wanted;
      return below.subscribeAll({
        ...options,
        prefixes: within(prefix, prefixes),
        onEvent: (event) => onEvent(without(prefix, event)),
      });
    },
    truncate: (stream, before) => below.truncate(name(stream), before),
    erase: (stream) => below.erase(name(stream)),
    get outage() {
      return below.outage;
    },
  };
}

/** The same for a store that is only read. */
export function withReaderPrefix(below: EventReader, prefix: string): EventReader {
  if (prefix === '') return below;
  const name = (stream: string): string => `${prefix}${stream}`;
  const { extents, newestPosition } = below;
  return {
    async last(stream) {
      const event = await below.last(name(stream));
      return event && without(prefix, event);
    },
    lastOfEach: (wanted) => each(prefix, below.lastOfEach(name(wanted))),
    read: (stream, options) => each(prefix, below.read(name(stream), options)),
    readAll: ({ prefixes, ...options } = {}) =>
      each(prefix, below.readAll({ ...options, prefixes: within(prefix, prefixes) })),
    close: () => below.close(),
    ...(extents && { extents: (wanted = '') => each(prefix, extents.call(below, name(wanted))) }),
    ...(below.findFault && { findFault: () => below.findFault?.() }),
    ...(newestPosition && { newestPosition: () => newestPosition.call(below) }),
  };
}

const within = (prefix: string, prefixes: readonly string[] = ['']): string[] =>
  prefixes.map((wanted) => `${prefix}${wanted}`);

const without = <Named extends { stream: string }>(prefix: string, named: Named): Named => ({
  ...named,
  stream: named.stream.slice(prefix.length),
});

async function* each<Named extends Pick<RecordedEvent, 'stream'>>(
  prefix: string,
  found: AsyncIterable<Named>,
): AsyncGenerator<Named> {
  for await (const named of found) yield without(prefix, named);
}
