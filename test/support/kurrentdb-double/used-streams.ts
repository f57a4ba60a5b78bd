import {
  BACKWARDS,
  END,
  excludeSystemEvents,
  KurrentDBClient,
  START,
  StreamDeletedError,
} from '@kurrent/kurrentdb-client';

/**
 * Remembers where a server's log ends. The returned function removes every stream that has been written since and has
 * the name in its own: for ever, so that a server that others use is left without them.
 */
export async function watchUsedStreams(url: string, name: string): Promise<() => Promise<void>> {
  const client = KurrentDBClient.connectionString(url);
  let before: { commit: bigint; prepare: bigint } | undefined;
  for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })) {
    before = event?.position;
  }
  return async () => {
    const used = new Set<string>();
    const filter = excludeSystemEvents();
    for await (const { event } of client.readAll({ fromPosition: before ?? START, filter })) {
      if (event?.streamId.includes(name) === true) used.add(event.streamId);
    }
    for (const stream of used) {
      await client.tombstoneStream(stream).catch((error: unknown) => {
        if (!(error instanceof StreamDeletedError)) throw error;
      });
    }
    await client.dispose();
  };
}
