/** Neighbours in a list that say the same. */
export interface EventRun<T> {
  /** The one that stands for the run: its first in the list. */
  first: T;
  /** All of them, in the order of the list. */
  events: readonly T[];
}

/**
 * Folds neighbours that say the same into one run each; every event is in exactly one run, and the order stays.
 * @param isSame whether an event says the same as its neighbour
 */
export function foldRuns<T>(events: readonly T[], isSame: (event: T, neighbour: T) => boolean): EventRun<T>[] {
  const runs: { first: T; events: T[] }[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const neighbour = last?.events.at(-1);
    if (last !== undefined && neighbour !== undefined && isSame(event, neighbour)) last.events.push(event);
    else runs.push({ first: event, events: [event] });
  }
  return runs;
}
