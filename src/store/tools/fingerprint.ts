import { createHash, hash } from 'node:crypto';
import type { EventReader, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { ReportProgress } from './progress.ts';
import { countEvents, isWithin, type Survey } from './survey.ts';

interface StreamFingerprint {
  events: number;
  /** SHA-256 chain over every event's revision, ID, type, data and metadata. */
  digest: string;
}

export interface StoreFingerprint {
  events: number;
  streams: ReadonlyMap<string, StreamFingerprint>;
  /** SHA-256 over the order of all events; positions do not count. */
  order: string;
}

/** Covers what a copy must have in common with its source: all but positions and times of recording. */
export async function fingerprint(
  store: EventReader,
  survey: Survey,
  onProgress: ReportProgress,
): Promise<StoreFingerprint> {
  const streams = new Map<string, StreamFingerprint>();
  const order = createHash('sha256');
  const total = countEvents(survey);
  let events = 0;
  for await (const event of store.readAll()) {
    if (!isWithin(survey, event)) continue;
    const before = streams.get(event.stream) ?? { events: 0, digest: '' };
    streams.set(event.stream, { events: before.events + 1, digest: digestOf(before.digest, event) });
    order.update(`${event.stream} ${event.revision}\n`);
    events += 1;
    onProgress(events, total);
  }
  return { events, streams, order: order.digest('hex') };
}

function digestOf(before: string, { revision, id, type, data, metadata }: RecordedEvent): string {
  return hash('sha256', `${before}${JSON.stringify([revision, id, type, data, metadata])}`);
}

/** One line for each stream that differs. */
export function differences(source: StoreFingerprint, copy: StoreFingerprint): string[] {
  const names = new Set([...source.streams.keys(), ...copy.streams.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [source.streams.get(name), copy.streams.get(name)];
    if (one?.digest === other?.digest && one?.events === other?.events) return [];
    return [`${name}: ${describe(one)} in the source, ${describe(other)} in the copy`];
  });
}

const describe = (stream: StreamFingerprint | undefined): string =>
  stream === undefined ? 'nothing' : `${stream.events} events (${stream.digest.slice(0, 12)})`;
