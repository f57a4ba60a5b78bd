import type { ChartTransition } from '../../actors/session/describe-chart.ts';

export type Side = 'left' | 'right';

/** A transition between two states, by their places in the column. */
export interface Move {
  transition: ChartTransition;
  source: number;
  target: number;
  side: Side;
}

/** All moves of one side into the same state, in a lane of their own: 0 is next to the boxes. */
export interface Bus {
  side: Side;
  target: number;
  /** The places between which it runs. */
  top: number;
  bottom: number;
  lane: number;
}

/** The short ones inside, and no two in one lane where they would touch. */
export function busesOf(moves: readonly Move[]): Bus[] {
  const placed: Bus[] = [];
  for (const bus of unplaced(moves).toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top))) {
    const isTaken = (lane: number): boolean =>
      placed.some(
        (other) => other.side === bus.side && other.lane === lane && other.top <= bus.bottom && bus.top <= other.bottom,
      );
    let lane = 0;
    while (isTaken(lane)) lane += 1;
    placed.push({ ...bus, lane });
  }
  return placed;
}

function unplaced(moves: readonly Move[]): Bus[] {
  const buses = new Map<string, Bus>();
  for (const { side, source, target } of moves) {
    const key = `${side} ${target}`;
    const bus = buses.get(key) ?? { side, target, top: Infinity, bottom: -1, lane: 0 };
    const [top, bottom] = [Math.min(bus.top, source, target), Math.max(bus.bottom, source, target)];
    buses.set(key, { ...bus, top, bottom });
  }
  return [...buses.values()];
}
