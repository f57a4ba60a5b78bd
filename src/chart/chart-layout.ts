import type { Chart, ChartTransition } from '../../actors/session/describe-chart.ts';
import { lanesOf, type Move, type Side } from './lanes.ts';

/** Where everything in the drawing of a chart stands. Lengths are pixels; x grows to the right, y downwards. */
export interface ChartLayout {
  width: number;
  height: number;
  boxes: StateBox[];
  arrows: ChartArrow[];
}

export interface StateBox {
  /** `any`: the transitions that every state has that is not final. */
  name: ChartTransition['from'];
  kind: 'state' | 'any' | 'final';
  isInitial: boolean;
  notes: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** From the edge of a box to a lane, along it, and back to the same edge of another box. */
export interface ChartArrow {
  transition: ChartTransition;
  edgeX: number;
  laneX: number;
  fromY: number;
  toY: number;
  label: { text: string; x: number; y: number; anchor: 'start' | 'end' };
}

/** The texts of the drawing. The layout makes room for them. */
interface ChartTexts {
  /** The text on an arrow. */
  labelOf: (transition: ChartTransition) => string;
  /** The lines in a box, below its name. */
  notesOf: (name: ChartTransition['from']) => string[];
}

/** The baselines of a box's texts, in pixels below its top. */
export const baselines = { name: 24, firstNote: 44, perNote: 18 };
/** The distance of the initial state's mark above its box, in pixels. */
export const initialMarkHeight = 28;

const boxWidth = 196;
const headHeight = 36;
const rowHeight = 26;
const gap = 26;
const laneWidth = 16;
const margin = 14;
/** The average width of a letter at a font size of 12 pixels, rounded up. */
const letterWidth = 6.9;
/** The space around a label, between the box and the first lane. */
const labelPadding = 26;

/**
 * Puts the states into a column: the initial one first, then the others, then `any`, then the final ones. Arrows that
 * lead down run on the right, arrows that lead up on the left. Arrows into the same state share a lane. No arrow
 * crosses a label.
 */
export function layOutChart(chart: Chart, { labelOf, notesOf }: ChartTexts): ChartLayout {
  const order = columnOf(chart);
  const moves = movesOf(chart, order);
  const lanes = lanesOf(moves);
  const labelRoom = (side: Side): number =>
    Math.max(0, ...moves.filter((move) => move.side === side).map(({ transition }) => labelOf(transition).length)) *
      letterWidth +
    labelPadding;
  const lanesRoom = (side: Side): number =>
    Math.max(0, ...lanes.filter((lane) => lane.side === side).map(({ index }) => index + 1)) * laneWidth;
  const laneIndex = ({ side, target }: Move): number =>
    lanes.find((lane) => lane.side === side && lane.target === target)?.index ?? 0;
  /** The moves out of a box on one side, from top to bottom. In this order none crosses another before its lane. */
  const outOf = (index: number, side: Side): Move[] =>
    moves
      .filter((move) => move.source === index && move.side === side)
      .toSorted((a, b) => (side === 'right' ? laneIndex(b) - laneIndex(a) : laneIndex(a) - laneIndex(b)));

  const left = margin + lanesRoom('left') + labelRoom('left');
  const right = left + boxWidth;
  const boxes: StateBox[] = [];
  let y = margin + initialMarkHeight;
  for (const [index, name] of order.entries()) {
    const notes = notesOf(name);
    const rows = Math.max(outOf(index, 'left').length, outOf(index, 'right').length) * rowHeight;
    const inside = notes.length === 0 ? 0 : (notes.length - 1) * baselines.perNote + 16;
    const height = headHeight + Math.max(rows, inside) + (rows + inside > 0 ? 8 : 0);
    const isInitial = name === chart.initial;
    boxes.push({ name, kind: kindOf(chart, name), isInitial, notes, x: left, y, width: boxWidth, height });
    y += height + gap;
  }

  const arrows = moves.map((move): ChartArrow => {
    const { transition, side } = move;
    const [edgeX, away] = side === 'right' ? [right, 1] : [left, -1];
    const source = boxes[move.source] as StateBox;
    const target = boxes[move.target] as StateBox;
    const fromY = source.y + headHeight + (outOf(move.source, side).indexOf(move) + 0.62) * rowHeight;
    return {
      transition,
      edgeX,
      laneX: edgeX + away * (labelRoom(side) + (laneIndex(move) + 0.5) * laneWidth),
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
