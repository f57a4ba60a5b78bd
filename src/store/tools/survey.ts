import { clusterStreams } from '../../../actors/ports/event-codec.ts';
import type { EventReader, StreamExtent } from '../../../actors/ports/event-store.ts';

export type Survey = ReadonlyMap<string, Pick<StreamExtent, 'first' | 'last'>>;

/** KurrentDB's own streams. */
const isServersOwn = (stream: string): boolean => stream.startsWith('$');

/** What says who owns a partition of a store at the moment, and who is there: another store has other owners. */
const isOfNodes = (stream: string): boolean => clusterStreams.some((kind) => stream.startsWith(`${kind}-`));

/** Whether a copy of the store has the stream. */
export const isCopied = (stream: string): boolean => !isServersOwn(stream) && !isOfNodes(stream);

/**
 * The revisions that each stream shows, but for the streams that are not copied. KurrentDB's `$all` shows removed events until the next scavenge; they do not
 * count.
 */
export async function surveyStore(store: EventReader): Promise<Survey> {
  const survey = new Map<string, Pick<StreamExtent, 'first' | 'last'>>();
  for await (const { stream, first, last } of store.extents?.() ?? askEach(store)) {
    if (isCopied(stream)) survey.set(stream, { first, last });
  }
  return survey;
}

/** For an embedded store, which reads without a round trip. */
async function* askEach(store: EventReader): AsyncGenerator<StreamExtent> {
  for await (const { stream, revision: last } of store.lastOfEach('')) {
    yield { stream, first: last === 0 ? 0 : await firstRevision(store, stream), last };
  }
}

export const countEvents = (survey: Survey): number =>
  [...survey.values()].reduce((sum, { first, last }) => sum + last - first + 1, 0);

export const isWithin = (survey: Survey, { stream, revision }: { stream: string; revision: number }): boolean => {
  const extent = survey.get(stream);
  return extent !== undefined && revision >= extent.first && revision <= extent.last;
};

async function firstRevision(store: EventReader, stream: string): Promise<number> {
  for await (const { revision } of store.read(stream, { limit: 1 })) return revision;
  throw new Error(`stream ${stream} was removed while it was read`);
}
