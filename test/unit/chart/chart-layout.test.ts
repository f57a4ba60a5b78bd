import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chart, describeChart } from '../../../actors/session/describe-chart.ts';
import { type ChartArrow, type ChartLayout, layOutChart } from '../../../src/chart/chart-layout.ts';
import { innerTransitionLabels, transitionLabel } from '../../../src/chart/transition-label.ts';

const drawn = (chart: Chart): ChartLayout =>
  layOutChart(chart, { labelOf: transitionLabel, notesOf: (name) => innerTransitionLabels(chart, name) });

interface Rectangle {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** At a font size of 12 pixels: a little less than the layout reckons with. */
const letterWidth = 6.6;

function placeOfLabel({ label: { text, x, y, anchor } }: ChartArrow): Rectangle {
  const width = text.length * letterWidth;
  const left = anchor === 'start' ? x : x - width;
  return { left, right: left + width, top: y - 9, bottom: y + 2 };
}

/** The three segments of an arrow: to its lane, along it, and from it. */
function segmentsOf({ edgeX, laneX, fromY, toY }: ChartArrow): Rectangle[] {
  const [left, right] = [Math.min(edgeX, laneX), Math.max(edgeX, laneX)];
  return [
    { left, right, top: fromY, bottom: fromY },
    { left: laneX, right: laneX, top: Math.min(fromY, toY), bottom: Math.max(fromY, toY) },
    { left, right, top: toY, bottom: toY },
  ];
}

const touch = (a: Rectangle, b: Rectangle): boolean =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

function mustBeReadable({ boxes, arrows, width, height }: ChartLayout): void {
  for (const [index, box] of boxes.entries()) {
    expect(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height).toBe(true);
    const next = boxes[index + 1];
    if (next) expect(next.y).toBeGreaterThan(box.y + box.height);
  }
  const labels = arrows.map(placeOfLabel);
  const lines = arrows.flatMap(segmentsOf);
  for (const label of labels) {
    expect(label.left >= 0 && label.right <= width).toBe(true);
    expect(labels.filter((other) => touch(label, other))).toEqual([label]);
    expect(lines.filter((line) => touch(label, line))).toEqual([]);
  }
  for (const [index, one] of arrows.entries()) {
    expect(one.laneX > 0 && one.laneX < width).toBe(true);
    const others = arrows.slice(index + 1).filter(({ transition }) => transition.to !== one.transition.to);
    const [, lane] = segmentsOf(one) as [Rectangle, Rectangle];
    for (const other of others) expect(touch(lane, (segmentsOf(other) as [Rectangle, Rectangle])[1])).toBe(false);
  }
}

describe('the drawing of a chart', () => {
  it('[IN1.1] [CO4.1] has every state and every transition of the machine, and nothing on top of another', () => {
    const chart = describeChart();
    const layout = drawn(chart);
    mustBeReadable(layout);
    const [first, ...others] = chart.states.map(({ name }) => name);
    expect(layout.boxes.map(({ name }) => name)).toEqual([first, ...others.slice(0, -1), 'any', 'deleted']);
    expect(layout.boxes.filter(({ isInitial }) => isInitial)).toEqual([layout.boxes[0]]);
    const written = [
      ...layout.arrows.map(({ transition: { from, fact } }) => `${from} ${fact}`),
      ...layout.boxes.flatMap(({ name, notes }) => notes.map((note) => `${name} ${note.replace('↻ ', '')}`)),
    ];
    expect(written.toSorted()).toEqual(chart.transitions.map(({ from, fact }) => `${from} ${fact}`).toSorted());
  });

  it('[IN1.1] [CO4.1] no arrow out of a box crosses another out of the same one', () => {
    const { arrows } = drawn(describeChart());
    for (const one of arrows) {
      const [out] = segmentsOf(one) as [Rectangle];
      const beside = arrows.filter((other) => other !== one && other.transition.from === one.transition.from);
      const lanes = beside.map((other) => (segmentsOf(other) as [Rectangle, Rectangle])[1]);
      // Arrows into the same state share a lane.
      expect(lanes.filter((lane) => lane.left !== one.laneX && touch(out, lane))).toEqual([]);
    }
  });

  it('[IN1.1] [CO4.1] lays out any chart of this size', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const charts = record({ states: integer({ min: 1, max: names.length }), finals: nat(2) }).chain(
      ({ states, finals }) => {
        const own = names.slice(0, states);
        return array(record({ from: constantFrom('any', ...own), to: constantFrom('same', ...own) }), {
          maxLength: 25,
        }).map((moves) => ({
          id: 'chart',
          initial: 'a',
          states: own.map((name, index) => ({ name, isFinal: index > 0 && index >= states - finals, entry: [] })),
          transitions: moves.map((move, index) => ({ ...move, fact: `Fact${index}`, actions: [] })),
        }));
      },
    );
    assert(property(charts, (chart) => mustBeReadable(drawn(chart as unknown as Chart))));
  });
});
