import type { EventStore } from '../../actors/ports/event-store.ts';
import { type Tracer, traced } from './tracer.ts';

/** Has a store's appends appear in traces. */
export function traceStore(store: Pick<EventStore, 'append'>, tracer: Tracer): void {
  const append = store.append.bind(store);
  store.append = (stream, expected, events) => {
    const attributes = {
      'db.operation.name': 'append',
      'db.collection.name': stream.slice(0, stream.indexOf('-')),
      'gateway.events': events.map(({ type }) => type).join(' '),
    };
    return traced(tracer, 'append', { kind: 'client', attributes }, () => append(stream, expected, events));
  };
}
