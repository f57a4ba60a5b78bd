import type { ChartTransition } from '../../actors/session/describe-chart.ts';

export type Side = 'left' | 'right';

/** A transition between two states, given as their places in the column. */
export interface Move {
  transition: ChartTransition;
  source: number;
  target: number;
  side: Side;
}

/** The vertical line that all moves of one side into the same state share. */
export interface Lane {
  side: Side;
  target: number;
  /** The first and the last place in the column that it passes. */
  top: number;
  bottom: number;
  /** Its distance from the boxes: 0 is next to them. */
  index: number;
}

/** Short lanes get the low indexes, and no two lanes of one index touch. */
export function lanesOf(moves: readonly Move[]): Lane[] {
  const placed: Lane[] = [];
  for (const lane of unplacedLanes(moves).toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top))) {
    const isTaken = (index: number): boolean =>
      placed.some(
        (other) =>
          other.side === lane.side && other.index === index && other.top <= lane.bottom && lane.top <= other.bottom,
      );
    let index = 0;
    while (isTaken(index)) index += 1;
    placed.push({ ...lane, index });
  }
  return placed;
}

function unplacedLanes(moves: readonly Move[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const { side, source, target } of moves) {
    const key = `${side} ${target}`;
    const lane = lanes.get(key) ?? { side, target, top: Infinity, bottom: -1, index: 0 };
    const [top, bottom] = [Math.min(lane.top, source, target), Math.max(lane.bottom, source, target)];
    lanes.set(key, { ...lane, top, bottom });
  }
  return [...lanes.values()];
}
