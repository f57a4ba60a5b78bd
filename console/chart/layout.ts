import type { Chart, ChartTransition } from '../../actors/describe-chart.ts';

/** A chart with places: states one below the other, arrows down on the right and up on the left. Pixels of the SVG. */
export interface ChartLayout {
  width: number;
  height: number;
  boxes: StateBox[];
  arrows: Arrow[];
}

export interface StateBox {
  /** `any`: what every state answers. */
  name: string;
  isFinal: boolean;
  /** What is recorded and changes nothing else. */
  kept: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Arrow {
  transition: ChartTransition;
  path: string;
  /** Its tip, as the points of a polygon. */
  tip: string;
  label: { x: number; y: number; anchor: 'start' | 'end' };
}

const boxWidth = 190;
const headHeight = 38;
const rowHeight = 26;
const keptHeight = 17;
const gap = 26;
const laneWidth = 16;
const margin = 8;
const letterWidth = 6.9;
const radius = 8;
const tipLength = 7;

type Side = 'left' | 'right';
/** Arrows of one side into the same state run together, in a lane of their own. */
interface Bus {
  side: Side;
  to: string;
  /** Indices of the states between which it runs. */
  top: number;
  bottom: number;
  lane: number;
}

/** @param labelOf what stands on an arrow: its length makes room */
export function layOut(chart: Chart, labelOf: (transition: ChartTransition) => string): ChartLayout {
  const names = orderOf(chart);
  const moves = chart.transitions.filter(({ from, to }) => to !== 'same' && to !== from);
  const rank = (name: string): number => names.indexOf(name);
  const sideOf = ({ from, to }: ChartTransition): Side => (rank(to) > rank(from) ? 'right' : 'left');
  const buses = busesOf(moves, sideOf, rank);
  const labelWidth = (side: Side): number =>
    Math.max(0, ...moves.filter((move) => sideOf(move) === side).map((move) => labelOf(move).length)) * letterWidth +
    26;
  const lanesOf = (side: Side): number =>
    Math.max(0, ...buses.filter((bus) => bus.side === side).map(({ lane }) => lane + 1)) * laneWidth;
  const left = margin + lanesOf('left') + labelWidth('left');
  const right = left + boxWidth;

  const boxes: StateBox[] = [];
  let y = margin;
  for (const name of names) {
    const own = chart.transitions.filter(({ from }) => from === name);
    const kept = own.filter((move) => !moves.includes(move)).map(({ fact }) => fact);
    const rows = Math.max(...(['left', 'right'] as const).map((side) => outOf(moves, name, side, sideOf).length));
    const inside = kept.length === 0 ? 0 : kept.length * keptHeight + 6;
    const height = headHeight + Math.max(rows * rowHeight, inside) + (rows + kept.length > 0 ? 8 : 0);
    const isFinal = chart.states.some((state) => state.name === name && state.isFinal);
    boxes.push({ name, isFinal, kept, x: left, y, width: boxWidth, height });
    y += height + gap;
  }

  const arrows = moves.map((transition): Arrow => {
    const side = sideOf(transition);
    const sign = side === 'right' ? 1 : -1;
    const edge = side === 'right' ? right : left;
    const { lane } = buses.find((bus) => bus.side === side && bus.to === transition.to) as Bus;
    const laneX = edge + sign * (labelWidth(side) + (lane + 0.5) * laneWidth);
    const source = boxes[rank(transition.from)] as StateBox;
    const target = boxes[rank(transition.to)] as StateBox;
    const row = outOf(moves, transition.from, side, sideOf).indexOf(transition);
    const startY = source.y + headHeight + (row + 0.62) * rowHeight;
    const endY = target.y + headHeight / 2;
    const turn = Math.sign(endY - startY) * radius;
    return {
      transition,
      path:
        `M${edge} ${startY}H${laneX - sign * radius}q${sign * radius} 0 ${sign * radius} ${turn}` +
        `V${endY - turn}q0 ${turn} ${-sign * radius} ${turn}H${edge + sign * tipLength}`,
      tip: `${edge + sign} ${endY} ${edge + sign * (tipLength + 2)} ${endY - 5} ${edge + sign * (tipLength + 2)} ${endY + 5}`,
      label: { x: edge + sign * 10, y: startY - 6, anchor: side === 'right' ? 'start' : 'end' },
    };
  });
  return { width: right + labelWidth('right') + lanesOf('right') + margin, height: y - gap + margin, boxes, arrows };
}

/** As the chart has them; what every state answers first, ends last. */
function orderOf({ states, transitions }: Chart): string[] {
  const named = (isFinal: boolean): string[] =>
    states.filter((state) => state.isFinal === isFinal).map(({ name }) => name);
  return [...(transitions.some(({ from }) => from === 'any') ? ['any'] : []), ...named(false), ...named(true)];
}

const outOf = (
  moves: readonly ChartTransition[],
  name: string,
  side: Side,
  sideOf: (move: ChartTransition) => Side,
): ChartTransition[] => moves.filter((move) => move.from === name && sideOf(move) === side);

/** Short ones inside, and no two in one lane where they would touch. */
function busesOf(
  moves: readonly ChartTransition[],
  sideOf: (move: ChartTransition) => Side,
  rank: (name: string) => number,
): Bus[] {
  const buses = new Map<string, Bus>();
  for (const move of moves) {
    const side = sideOf(move);
    const ranks = [rank(move.from), rank(move.to)];
    const bus = buses.get(`${side} ${move.to}`) ?? { side, to: move.to, top: Infinity, bottom: -1, lane: 0 };
    buses.set(`${side} ${move.to}`, {
      ...bus,
      top: Math.min(bus.top, ...ranks),
      bottom: Math.max(bus.bottom, ...ranks),
    });
  }
  const placed: Bus[] = [];
  for (const bus of [...buses.values()].toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top))) {
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
