import type { EventStore } from '../../actors/ports/event-store.ts';
import { wrapStore } from '../../actors/ports/wrap-store.ts';
import { type Tracer, traced } from './tracer.ts';

/** A store whose appends appear in traces. @param system what OpenTelemetry calls `db.system.name` */
export function traceStore(store: EventStore, tracer: Tracer, system: 'sqlite' | 'kurrentdb'): EventStore {
  return wrapStore(store, (stream, expected, events) => {
    const attributes = {
      'db.system.name': system,
      'db.operation.name': 'append',
      'db.collection.name': stream.slice(0, stream.indexOf('-')),
      'gateway.events': events.map(({ type }) => type).join(' '),
    };
    return traced(tracer, 'append', { kind: 'client', attributes }, () => store.append(stream, expected, events));
  });
}
