import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chart, type ChartTransition, describeChart } from '../../../actors/describe-chart.ts';
import { type ChartLayout, layOut } from '../../../console/chart/layout.ts';

const labelOf = ({ fact }: ChartTransition): string => fact;

/** The stretch that an arrow runs up or down, read off its path. */
function laneOf(path: string): { x: number; top: number; bottom: number } {
  const [, edge = '', from = '', , laneX = '', , , , , to = ''] =
    /^M([\d.-]+) ([\d.-]+)(H)([\d.-]+)(q)([\d.-]+) 0 ([\d.-]+) ([\d.-]+)V([\d.-]+)/.exec(path) ?? [];
  return {
    x: Number(laneX) + Math.sign(Number(laneX) - Number(edge)) * 8,
    top: Math.min(Number(from), Number(to)),
    bottom: Math.max(Number(from), Number(to)),
  };
}

function mustBeReadable({ boxes, arrows, width, height }: ChartLayout): void {
  for (const [index, box] of boxes.entries()) {
    expect(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
    const next = boxes[index + 1];
    if (next) expect(next.y).toBeGreaterThan(box.y + box.height);
  }
  const lanes = arrows.map(({ path, transition }) => ({ to: transition.to, ...laneOf(path) }));
  for (const [index, one] of lanes.entries()) {
    expect(one.x > 0 && one.x < width).toBe(true);
    const others = lanes.slice(index + 1).filter(({ to, x }) => to !== one.to && x === one.x);
    for (const other of others) expect(other.top > one.bottom || one.top > other.bottom).toBe(true);
  }
  const places = arrows.map(({ label: { x, y } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(places.length);
}

describe('the chart of the console', () => {
  it('[CO4] has every state and every transition of the machine, and nothing on top of another', () => {
    const chart = describeChart();
    const layout = layOut(chart, labelOf);
    mustBeReadable(layout);
    expect(layout.boxes.map(({ name }) => name)).toEqual(['any', ...chart.states.map(({ name }) => name)]);
    const drawn = [
      ...layout.arrows.map(({ transition }) => `${transition.from} ${transition.fact}`),
      ...layout.boxes.flatMap(({ name, kept }) => kept.map((fact) => `${name} ${fact}`)),
    ];
    expect(drawn.toSorted()).toEqual(chart.transitions.map(({ from, fact }) => `${from} ${fact}`).toSorted());
  });

  it('[CO4] lays out any chart of this size', () => {
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
    assert(property(charts, (chart) => mustBeReadable(layOut(chart as unknown as Chart, labelOf))));
  });
});
