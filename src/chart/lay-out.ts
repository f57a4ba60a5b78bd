import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';
import { busesOf, type Move, type Side } from './lanes.ts';

/** A chart with places. Lengths are pixels; x grows to the right, y downwards. */
export interface ChartLayout {
  width: number;
  height: number;
  boxes: StateBox[];
  arrows: Arrow[];
}

export interface StateBox {
  /** `any`: what holds in every state that is not final. */
  name: ChartTransition['from'];
  kind: 'state' | 'any' | 'final';
  isInitial: boolean;
  notes: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Out of the edge of a box, along a lane, into the same edge of another. */
export interface Arrow {
  transition: ChartTransition;
  edgeX: number;
  laneX: number;
  fromY: number;
  toY: number;
  label: { text: string; x: number; y: number; anchor: 'start' | 'end' };
}

/** What is written: both make room. */
interface Writing {
  /** On an arrow. */
  labelOf: (transition: ChartTransition) => string;
  /** In a box, a line each. */
  notesOf: (name: ChartTransition['from']) => string[];
}

/** Where who draws a box puts its lines, below its top. */
export const baselines = { name: 24, firstNote: 44, perNote: 18 };
/** How far above its box the mark stands that leads into the initial state. */
export const initialMark = 28;

const boxWidth = 196;
const headHeight = 36;
const rowHeight = 26;
const gap = 26;
const laneWidth = 16;
const margin = 14;
/** Of a letter at 12 pixels, on the average and with some to spare. */
const letterWidth = 6.9;
/** Around a label: from the box, and to the lanes. */
const labelPadding = 26;

/**
 * States stand in a column, the initial one first, then what holds in any of them, and what ends it. Arrows that lead
 * down run on the right, those that lead up on the left; those into the same state run together. None crosses a label.
 */
export function layOut(chart: Chart, { labelOf, notesOf }: Writing): ChartLayout {
  const order = columnOf(chart);
  const moves = movesOf(chart, order);
  const buses = busesOf(moves);
  const labelRoom = (side: Side): number =>
    Math.max(0, ...moves.filter((move) => move.side === side).map(({ transition }) => labelOf(transition).length)) *
      letterWidth +
    labelPadding;
  const lanesRoom = (side: Side): number =>
    Math.max(0, ...buses.filter((bus) => bus.side === side).map(({ lane }) => lane + 1)) * laneWidth;
  const laneOf = ({ side, target }: Move): number =>
    buses.find((bus) => bus.side === side && bus.target === target)?.lane ?? 0;
  /** From top to bottom, such that none crosses another on its way to its lane. */
  const outOf = (index: number, side: Side): Move[] =>
    moves
      .filter((move) => move.source === index && move.side === side)
      .toSorted((a, b) => (side === 'right' ? laneOf(b) - laneOf(a) : laneOf(a) - laneOf(b)));

  const left = margin + lanesRoom('left') + labelRoom('left');
  const right = left + boxWidth;
  const boxes: StateBox[] = [];
  let y = margin + initialMark;
  for (const [index, name] of order.entries()) {
    const notes = notesOf(name);
    const rows = Math.max(outOf(index, 'left').length, outOf(index, 'right').length) * rowHeight;
    const inside = notes.length === 0 ? 0 : (notes.length - 1) * baselines.perNote + 16;
    const height = headHeight + Math.max(rows, inside) + (rows + inside > 0 ? 8 : 0);
    const isInitial = name === chart.initial;
    boxes.push({ name, kind: kindOf(chart, name), isInitial, notes, x: left, y, width: boxWidth, height });
    y += height + gap;
  }

  const arrows = moves.map((move): Arrow => {
    const { transition, side } = move;
    const [edgeX, away] = side === 'right' ? [right, 1] : [left, -1];
    const source = boxes[move.source] as StateBox;
    const target = boxes[move.target] as StateBox;
    const fromY = source.y + headHeight + (outOf(move.source, side).indexOf(move) + 0.62) * rowHeight;
    return {
      transition,
      edgeX,
      laneX: edgeX + away * (labelRoom(side) + (laneOf(move) + 0.5) * laneWidth),
      fromY,
      toY: target.y + headHeight / 2,
      label: { text: labelOf(transition), x: edgeX + away * 10, y: fromY - 6, anchor: away > 0 ? 'start' : 'end' },
    };
  });
  return { width: right + labelRoom('right') + lanesRoom('right') + margin, height: y - gap + margin, boxes, arrows };
}

function columnOf({ states, initial, transitions }: Chart): ChartTransition['from'][] {
  const named = (isFinal: boolean): ChartTransition['from'][] =>
    states.filter((state) => state.isFinal === isFinal).map(({ name }) => name);
  const hasAny = transitions.some(({ from }) => from === 'any');
  return [...named(false), ...(hasAny ? (['any'] as const) : []), ...named(true)].toSorted(
    (a, b) => Number(b === initial) - Number(a === initial),
  );
}

function kindOf({ states }: Chart, name: ChartTransition['from']): StateBox['kind'] {
  if (name === 'any') return 'any';
  return states.some((state) => state.name === name && state.isFinal) ? 'final' : 'state';
}

/** The transitions that lead to another state. */
function movesOf({ transitions }: Chart, order: readonly string[]): Move[] {
  return transitions
    .filter(({ from, to }) => to !== 'same' && to !== from)
    .map((transition) => {
      const [source, target] = [order.indexOf(transition.from), order.indexOf(transition.to)];
      return { transition, source, target, side: target > source ? 'right' : 'left' };
    });
}
