import type { Chart, ChartTransition } from '../../actors/describe-chart.ts';
import { type Arrow, arrowsOf, labelOf } from './arrows.ts';

/** Lengths are pixels; x grows to the right, y downwards. */
export interface Layout {
  width: number;
  height: number;
  boxes: Box[];
  lines: Line[];
}

export interface Box {
  name: string;
  kind: 'state' | 'any' | 'final';
  isInitial: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  /** What is done and recorded in it: `entry / connect`, `QrIssued`; `↻` where the state begins anew. */
  notes: string[];
}

/** An arrow: out of a box, along its lane, into another. */
export interface Line {
  points: { x: number; y: number }[];
  label: string;
  labelAt: { x: number; y: number; anchor: 'start' | 'end' };
}

const margin = 16;
const initialArrow = 34;
const boxWidth = 196;
const boxGap = 26;
const titleHeight = 34;
const noteHeight = 18;
const portHeight = 24;
const laneWidth = 16;
/** Of a letter of the labels, on the average. */
const letterWidth = 6.6;
const labelPadding = 18;

type Side = 'left' | 'right';
/** An arrow between two boxes, by their places in the column. */
interface Edge extends Arrow {
  source: number;
  target: number;
  label: string;
  lane: number;
}

/**
 * States stand in a column, in the order of the chart, what holds in any of them and what ends it below. Arrows that
 * lead down run on the right, those that lead up on the left, the longer ones further out, so that none crosses a label.
 */
export function layOut(chart: Chart): Layout {
  const order = columnOf(chart);
  const edges = edgesOf(chart, order);
  const sides = {
    left: placed(edges.filter(({ source, target }) => target < source)),
    right: placed(edges.filter(({ source, target }) => target > source)),
  };
  const labelRoom = (side: Side): number =>
    Math.max(0, ...sides[side].map(({ label }) => label.length)) * letterWidth + labelPadding;
  const laneRoom = (side: Side): number => Math.max(0, ...sides[side].map(({ lane }) => lane + 1)) * laneWidth;
  const x = margin + laneRoom('left') + labelRoom('left');
  const boxes: Box[] = [];
  let y = margin + initialArrow;
  for (const [index, name] of order.entries()) {
    const notes = notesOf(chart, name);
    const ports = Math.max(portsOf(sides.left, index, 'left').length, portsOf(sides.right, index, 'right').length);
    const height = Math.max(titleHeight + notes.length * noteHeight + 8, ports * portHeight + 16);
    const isFinal = chart.states.some((state) => state.name === name && state.isFinal);
    const kind = name === 'any' ? 'any' : isFinal ? 'final' : 'state';
    boxes.push({ name, kind, isInitial: name === chart.initial, x, y, width: boxWidth, height, notes });
    y += height + boxGap;
  }
  const lines = (['left', 'right'] as const).flatMap((side) =>
    sides[side].map((edge) => lineOf(edge, side, sides[side], boxes, labelRoom(side))),
  );
  return {
    width: x + boxWidth + labelRoom('right') + laneRoom('right') + margin,
    height: y - boxGap + margin,
    boxes,
    lines,
  };
}

function columnOf({ states }: Chart): ChartTransition['from'][] {
  return [
    ...states.filter(({ isFinal }) => !isFinal).map(({ name }) => name),
    'any' as const,
    ...states.filter(({ isFinal }) => isFinal).map(({ name }) => name),
  ];
}

function edgesOf(chart: Chart, order: readonly ChartTransition['from'][]): Edge[] {
  return arrowsOf(chart)
    .filter(({ from, to }) => from !== to)
    .map((arrow) => ({
      ...arrow,
      source: order.indexOf(arrow.from),
      target: order.indexOf(arrow.to),
      label: arrow.labels.join(', '),
      lane: 0,
    }));
}

/** The short ones first, each in the innermost lane that is free all along it. */
function placed(edges: readonly Edge[]): Edge[] {
  const done: Edge[] = [];
  for (const edge of edges.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    let lane = 0;
    while (done.some((other) => other.lane === lane && overlap(edge, other))) lane += 1;
    done.push({ ...edge, lane });
  }
  return done;
}

const lengthOf = ({ source, target }: Edge): number => Math.abs(target - source);

function overlap(a: Edge, b: Edge): boolean {
  const [topA, topB] = [Math.min(a.source, a.target), Math.min(b.source, b.target)];
  return topA <= topB + lengthOf(b) && topB <= topA + lengthOf(a);
}

/** The arrows that end or begin at a side of a box, from top to bottom, such that none crosses another there. */
function portsOf(edges: readonly Edge[], index: number, side: Side): Edge[] {
  const out = edges.filter(({ source }) => source === index);
  const into = edges.filter(({ target }) => target === index);
  const near = (a: Edge, b: Edge): number => a.lane - b.lane;
  const far = (a: Edge, b: Edge): number => b.lane - a.lane;
  return side === 'right'
    ? [...into.toSorted(near), ...out.toSorted(far)]
    : [...out.toSorted(near), ...into.toSorted(far)];
}

function lineOf(edge: Edge, side: Side, edges: readonly Edge[], boxes: readonly Box[], labelRoom: number): Line {
  const portY = (index: number): number => {
    const box = boxes[index] as Box;
    const ports = portsOf(edges, index, side);
    return box.y + (box.height * (ports.indexOf(edge) + 1)) / (ports.length + 1);
  };
  const { x, width } = boxes[edge.source] as Box;
  const direction = side === 'right' ? 1 : -1;
  const edgeX = side === 'right' ? x + width : x;
  const laneX = edgeX + direction * (labelRoom + (edge.lane + 0.5) * laneWidth);
  const [from, to] = [portY(edge.source), portY(edge.target)];
  return {
    points: [
      { x: edgeX, y: from },
      { x: laneX, y: from },
      { x: laneX, y: to },
      { x: edgeX, y: to },
    ],
    label: edge.label,
    labelAt: { x: edgeX + direction * 8, y: from - 5, anchor: side === 'right' ? 'start' : 'end' },
  };
}

function notesOf({ states, transitions }: Chart, name: ChartTransition['from']): string[] {
  const entry = states.find((state) => state.name === name)?.entry ?? [];
  return [
    ...entry.map((action) => `entry / ${action}`),
    ...transitions
      .filter(({ from, to }) => from === name && (to === 'same' || to === name))
      .map((transition) => `${transition.to === 'same' ? '' : '↻ '}${labelOf(transition)}`),
  ];
}
