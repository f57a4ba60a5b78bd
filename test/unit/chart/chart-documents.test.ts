import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { describeChart } from '../../../actors/describe-chart.ts';
import { sessionStates } from '../../../actors/session-events.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../../actors/stately.ts';
import { layOut } from '../../../src/chart/lay-out.ts';
import { mermaidChart } from '../../../src/chart/mermaid.ts';
import { svgChart } from '../../../src/chart/svg.ts';
import { legalTransitions, timeLimits } from '../../support/legal-transitions.ts';

const chart = describeChart();

describe('the chart in the documents', () => {
  it('[IN1] is as the machine is: npm run machine writes it anew', async () => {
    await expect(`${JSON.stringify(statelyDefinition(), undefined, 2)}\n`).toMatchFileSnapshot(
      '../../../docs/machine.json',
    );
    await expect(mermaidChart(chart)).toMatchFileSnapshot('../../../docs/machine.mmd');
    await expect(svgChart(chart)).toMatchFileSnapshot('../../../docs/machine.svg');
  });

  it('[IN1] describes every transition there is, and none else', () => {
    const described = chart.transitions.flatMap(({ from, fact, to }) =>
      (from === 'any' ? sessionStates.filter((state) => state !== 'deleted') : [from]).map(
        (state) => `${state} ${fact} ${to === 'same' ? '=' : to}`,
      ),
    );
    const legal = Object.entries(legalTransitions).flatMap(([state, facts]) =>
      Object.entries(facts).map(([fact, to]) => `${state} ${fact} ${to}`),
    );
    expect(described.toSorted()).toEqual(legal.toSorted());
    const timed = chart.transitions.filter(({ afterMs }) => afterMs !== undefined);
    expect(timed.map(({ from, fact, afterMs }) => [from, { fact, ms: afterMs }])).toEqual(Object.entries(timeLimits));
  });

  it('[IN1] is a machine to XState, with the same states, events and delays', () => {
    const machine = createMachine(statelyDefinition());
    const events = [...new Set(chart.transitions.map(({ fact }) => statelyEventType(fact)))];
    expect(machine.events.toSorted()).toEqual(events.toSorted());
    expect(Object.keys(machine.states)).toEqual([...sessionStates]);
    expect(machine.states['qrPending']?.after.map(({ delay }) => delay)).toEqual([180_000]);
    for (const state of sessionStates) {
      expect(machine.resolveState(statelySnapshot(state, { login: 2 }) as never)).toMatchObject({
        value: state,
        status: state === 'deleted' ? 'done' : 'active',
      });
    }
  });

  it('[IN1] draws no line through a label, and none over another', () => {
    const { boxes, lines } = layOut(chart);
    expect(boxes.map(({ name }) => name)).toEqual([...sessionStates.slice(0, -1), 'any', 'deleted']);
    const ends = lines.flatMap(({ points }) => [points[0], points.at(-1)]).map((point) => `${point?.x} ${point?.y}`);
    expect(new Set(ends).size).toBe(2 * lines.length);
    for (const { label, labelAt } of lines) {
      const width = label.length * 6.6;
      const [left, right] =
        labelAt.anchor === 'start' ? [labelAt.x, labelAt.x + width] : [labelAt.x - width, labelAt.x];
      for (const { points } of lines.filter((line) => line.labelAt.anchor === labelAt.anchor)) {
        const lane = points[1]?.x ?? 0;
        expect(lane > left && lane < right).toBe(false);
        expect(points.filter(({ y }) => y > labelAt.y - 10 && y < labelAt.y + 2)).toEqual([]);
      }
    }
  });
});
