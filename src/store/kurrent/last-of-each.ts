import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import type { RecordedEvent } from '../../../actors/event-store.ts';
import type { Followed } from './following.ts';
import { jsonEvent, metadataStream, metadataType, type StreamSettings } from './recorded-event.ts';

/**
 * The last event of each stream with a prefix, from one pass over all: reading thousands of streams one by one takes
 * many times as long. In the order of all, the server still shows what was truncated or deleted; so the pass takes
 * along what is said about the streams.
 */
export async function findLastOfEach(
  prefix: string,
  follow: (prefixes: readonly string[]) => AsyncIterable<Followed>,
): Promise<RecordedEvent[]> {
  const lasts = new Map<string, ClientEvent>();
  const hiddenBefore = new Map<string, number>();
  const describing = metadataStream(prefix);
  for await (const said of follow([prefix, describing])) {
    if ('caughtUp' in said) break;
    for (const event of said.events) {
      if (event.type === metadataType && event.streamId.startsWith(describing)) {
        const { $tb = 0 } = event.data as StreamSettings;
        hiddenBefore.set(event.streamId.slice(metadataStream('').length), $tb);
      } else if (event.streamId.startsWith(prefix)) {
        lasts.set(event.streamId, event);
      }
    }
  }
  // The mark of an erasure, where it shows, says that the erasure has not been finished: whoever looks for that must
  // find the stream.
  return [...lasts.values()]
    .filter(({ streamId, revision }) => Number(revision) >= (hiddenBefore.get(streamId) ?? 0))
    .map((event) => jsonEvent(event))
    .filter((event) => event !== undefined);
}
