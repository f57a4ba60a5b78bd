import {
  BACKWARDS,
  END,
  type KurrentDBClient,
  type Position,
  START,
  StreamDeletedError,
  streamNameFilter,
} from '@kurrent/kurrentdb-client';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';

const removalsInFlight = 200;

/** Where a server's log ends; undefined if it is empty. */
export async function newestPosition(client: KurrentDBClient): Promise<Position | undefined> {
  for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })) {
    if (event !== undefined) return event.position;
  }
  return undefined;
}

/** Removes every stream with this prefix that has been written to since a position, without a way back. */
export async function removeStreams(
  client: KurrentDBClient,
  prefix: string,
  since: Position | undefined,
): Promise<void> {
  const streams = new Set<string>();
  const filter = streamNameFilter({ prefixes: [prefix] });
  for await (const { event } of client.readAll({ fromPosition: since ?? START, filter })) {
    if (event !== undefined) streams.add(event.streamId);
  }
  await mapConcurrent([...streams], removalsInFlight, async (stream) => {
    await client.tombstoneStream(stream).catch((error: unknown) => {
      if (!(error instanceof StreamDeletedError)) throw error;
    });
  });
}
