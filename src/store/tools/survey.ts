import type { EventReader, StreamExtent } from '../../../actors/ports/event-store.ts';

export type Survey = ReadonlyMap<string, Pick<StreamExtent, 'first' | 'last'>>;

/** A KurrentDB keeps its own streams in between. */
export const isServersOwn = (stream: string): boolean => stream.startsWith('$');

/**
 * What a store holds. A KurrentDB goes on showing what was removed in the order of all, until it is scavenged: what
 * counts is what its streams show.
 */
export async function surveyStore(store: EventReader): Promise<Survey> {
  const survey = new Map<string, Pick<StreamExtent, 'first' | 'last'>>();
  for await (const { stream, first, last } of store.extents?.() ?? askEach(store)) {
    if (!isServersOwn(stream)) survey.set(stream, { first, last });
  }
  return survey;
}

/** An embedded store answers at once. */
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
  throw new Error(`stream ${stream} went away while it was looked at`);
}
