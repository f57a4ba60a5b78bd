import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { LoggedEvent } from './event-log.ts';

export interface EventFilter {
  passes(event: LoggedEvent): boolean;
  /** A subscription is told how far it is after so many events that were looked at. */
  checkpointEvents: number;
}

/** What the server takes where the client names no window. */
const defaultWindowEvents = 32;

export function createFilter(options: streams.ReadReq.Options.FilterOptions | undefined): EventFilter | undefined {
  const byStream = options?.getStreamIdentifier();
  const expression = byStream ?? options?.getEventType();
  if (options === undefined || expression === undefined) return undefined;
  const regex = expression.getRegex() === '' ? undefined : new RegExp(expression.getRegex(), 'u');
  const prefixes = expression.getPrefixList();
  return {
    passes: (event) => {
      const name = byStream === undefined ? event.type : event.stream;
      return regex?.test(name) ?? prefixes.some((prefix) => name.startsWith(prefix));
    },
    checkpointEvents:
      (options.hasMax() ? options.getMax() : defaultWindowEvents) *
      Math.max(1, options.getCheckpointintervalmultiplier()),
  };
}
