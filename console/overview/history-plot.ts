import type { SessionStats } from '../api/types.ts';

type History = NonNullable<SessionStats['history']>;

/** The plot's own units; the page stretches it. */
export const plotWidth = 600;
export const plotHeight = 100;
/** Above the highest value, so that its line is whole. */
const headroom = 4;

/** The fewest and the most sessions that were connected, and those that are now. */
export function connectedRange(history: History): { lowest: number; highest: number; now: number } {
  const counts = history.map(({ connected }) => connected);
  return { lowest: Math.min(...counts), highest: Math.max(...counts), now: counts.at(-1) ?? 0 };
}

/** The connected sessions as a line of steps, from 0 at the bottom to the most at the top. */
export function connectedPath(history: History): string {
  const { highest } = connectedRange(history);
  const step = plotWidth / history.length;
  const heightOf = (count: number): string =>
    (plotHeight - (count / Math.max(highest, 1)) * (plotHeight - headroom)).toFixed(1);
  return history
    .map(
      ({ connected }, place) =>
        `${place === 0 ? 'M0,' : 'V'}${heightOf(connected)} H${((place + 1) * step).toFixed(1)}`,
    )
    .join(' ');
}
