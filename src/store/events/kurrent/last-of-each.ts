import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import type { RecordedEvent, StreamExtent } from '../../../../actors/ports/event-store.ts';
import type { Followed } from './follower.ts';
import { anyEvent, metadataStream, metadataType, type StreamSettings, settingsIn } from './recorded-event.ts';

type Follow = (prefixes: readonly string[]) => AsyncIterable<Followed>;

/** A stream as one pass over all has seen it. */
interface SeenStream {
  /** The first revision that is on the server, shown or not. */
  first: number;
  newest: ClientEvent;
  settings: StreamSettings;
}

/** The last event of each stream with a prefix. */
export async function findLastOfEach(prefix: string, follow: Follow): Promise<RecordedEvent[]> {
  const seen = await lookAtStreams(prefix, follow);
  return seen.map(({ newest }) => anyEvent(newest));
}

/**
 * Which revisions each stream shows. Where that depends on their age, or on how many there are, which nothing here sets,
 * the server is asked for the first one.
 */
export async function findExtents(
  prefix: string,
  follow: Follow,
  firstOf: (stream: string) => Promise<number | undefined>,
): Promise<StreamExtent[]> {
  const extents: StreamExtent[] = [];
  for (const { first, newest, settings } of await lookAtStreams(prefix, follow)) {
    const isByRule = settings.$maxAge !== undefined || settings.$maxCount !== undefined;
    const shown = isByRule ? await firstOf(newest.streamId) : Math.max(first, settings.$tb ?? 0);
    if (shown === undefined) continue;
    extents.push({ stream: newest.streamId, first: shown, last: Number(newest.revision) });
  }
  return extents;
}

/**
 * One pass over all: reading thousands of streams one by one takes many times as long. In the order of all, the server
 * still shows what was truncated or deleted; so the pass takes along what is said about the streams.
 */
async function lookAtStreams(prefix: string, follow: Follow): Promise<SeenStream[]> {
  const streams = new Map<string, Omit<SeenStream, 'settings'>>();
  const settings = new Map<string, StreamSettings>();
  const describing = metadataStream(prefix);
  for await (const said of follow([prefix, describing])) {
    if ('caughtUp' in said) break;
    for (const event of said.events) {
      const { streamId, type } = event;
      if (type === metadataType && streamId.startsWith(describing)) {
        settings.set(streamId.slice(metadataStream('').length), settingsIn(event));
      } else if (streamId.startsWith(prefix)) {
        const first = streams.get(streamId)?.first ?? Number(event.revision);
        streams.set(streamId, { first, newest: event });
      }
    }
  }
  // The mark of an erasure, where it shows, says that the erasure has not been finished: whoever looks for that must
  // find the stream.
  return [...streams]
    .map(([name, stream]) => ({ ...stream, settings: settings.get(name) ?? {} }))
    .filter(({ newest, settings: { $tb = 0 } }) => Number(newest.revision) >= $tb);
}
