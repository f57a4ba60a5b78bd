import type { EventReader } from '../../actors/event-store.ts';

/** Which events of a stream are there: all from the first to the last. */
interface Extent {
  first: number;
  last: number;
}

export type Survey = ReadonlyMap<string, Extent>;

/** A KurrentDB keeps its own streams in between. */
export const isServersOwn = (stream: string): boolean => stream.startsWith('$');

/** Streams that are asked for their first event side by side. */
const askedAtOnce = 64;

/**
 * What a store holds. A KurrentDB goes on showing what was removed in the order of all, until it is scavenged: what
 * counts is what its streams show.
 */
export async function surveyStore(store: EventReader): Promise<Survey> {
  const survey = new Map<string, Extent>();
  let asked: Promise<void>[] = [];
  for await (const { stream, revision: last } of store.lastOfEach('')) {
    if (isServersOwn(stream)) continue;
    survey.set(stream, { first: 0, last });
    if (last === 0) continue;
    asked.push(
      firstRevision(store, stream).then((first) => {
        survey.set(stream, { first, last });
      }),
    );
    if (asked.length < askedAtOnce) continue;
    await Promise.all(asked);
    asked = [];
  }
  await Promise.all(asked);
  return survey;
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
