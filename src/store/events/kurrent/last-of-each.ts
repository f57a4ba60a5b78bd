import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import type { RecordedEvent, StreamExtent } from '../../../../actors/ports/event-store.ts';
import type { Followed } from './follower.ts';
import { anyEvent, metadataStream, metadataType, type StreamSettings, settingsIn } from './recorded-event.ts';

type Follow = (prefixes: readonly string[]) => AsyncIterable<Followed>;

/** A stream, as found by one pass over all events. */
interface SeenStream {
  /** The first revision on the server, also if it is truncated. */
  first: number;
  newest: ClientEvent;
  settings: StreamSettings;
}

/** The last event of each stream with a prefix. */
export async function findLastOfEach(prefix: string, follow: Follow): Promise<RecordedEvent[]> {
  const streams = await findStreams(prefix, follow);
  return streams.map(({ newest }) => anyEvent(newest));
}

/**
 * Which revisions each stream shows. If that depends on the age or number of their events (settings that the gateway never
 * makes), the first revision is read from the server.
 */
export async function findExtents(
  prefix: string,
  follow: Follow,
  firstOf: (stream: string) => Promise<number | undefined>,
): Promise<StreamExtent[]> {
  const extents: StreamExtent[] = [];
  for (const { first, newest, settings } of await findStreams(prefix, follow)) {
    const isByRule = settings.$maxAge !== undefined || settings.$maxCount !== undefined;
    const shown = isByRule ? await firstOf(newest.streamId) : Math.max(first, settings.$tb ?? 0);
    if (shown === undefined) continue;
    extents.push({ stream: newest.streamId, first: shown, last: Number(newest.revision) });
  }
  return extents;
}

/**
 * One pass over all events: reading thousands of streams one by one takes many times as long. Since `$all` still shows
 * truncated and deleted events, the pass reads the streams' metadata too.
 */
async function findStreams(prefix: string, follow: Follow): Promise<SeenStream[]> {
  const streams = new Map<string, Omit<SeenStream, 'settings'>>();
  const settings = new Map<string, StreamSettings>();
  const metadataPrefix = metadataStream(prefix);
  for await (const message of follow([prefix, metadataPrefix])) {
    if ('caughtUp' in message) break;
    for (const event of message.events) {
      const { streamId, type } = event;
      if (type === metadataType && streamId.startsWith(metadataPrefix)) {
        settings.set(streamId.slice(metadataStream('').length), settingsIn(event));
      } else if (streamId.startsWith(prefix)) {
        const first = streams.get(streamId)?.first ?? Number(event.revision);
        streams.set(streamId, { first, newest: event });
      }
    }
  }
  // A stream whose visible end is the mark of an erasure stays in the list: its erasure has to be finished.
  return [...streams]
    .map(([name, stream]) => ({ ...stream, settings: settings.get(name) ?? {} }))
    .filter(({ newest, settings: { $tb = 0 } }) => Number(newest.revision) >= $tb);
}
