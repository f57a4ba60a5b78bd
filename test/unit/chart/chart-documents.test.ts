import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { describeChart } from '../../../actors/session/describe-chart.ts';
import { sessionStates } from '../../../actors/session/events.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../../actors/session/stately-protocol.ts';
import { mermaidChart } from '../../../src/chart/mermaid.ts';
import { svgChart } from '../../../src/chart/svg.ts';
import { legalTransitions, timeLimits } from '../../support/legal-transitions.ts';

const chart = describeChart();

/** How far apart two colours are for eyes (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replaceAll(/[^#]/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colours of a style sheet: `label fill` → `#0a4fa3`. */
const coloursOf = (style: string): Map<string, string> =>
  new Map(
    [...style.matchAll(/\.(\w+) \{([^}]*)\}/g)].flatMap(([, name = '', rule = '']) =>
      [...rule.matchAll(/(fill|stroke): (#\w+)/g)].map(([, what = '', colour = '']): [string, string] => [
        `${name} ${what}`,
        colour,
      ]),
    ),
  );

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

  it('[IN1] can be read, in light and in dark, whatever lies behind the picture', () => {
    const picture = svgChart(chart);
    const [light = '', dark = ''] = (/<style>([^]*)<\/style>/.exec(picture)?.[1] ?? '').split('@media');
    const { width, height } = /width="(?<width>\S+)" height="(?<height>\S+)" role/.exec(picture)?.groups ?? {};
    expect(picture).toContain(`<rect class="paper" width="${width}" height="${height}"`);
    for (const colours of [coloursOf(light), new Map([...coloursOf(light), ...coloursOf(dark)])]) {
      const between = (one: string, other: string): number =>
        contrast(colours.get(one) ?? 'none', colours.get(other) ?? 'none');
      for (const text of ['name fill', 'note fill']) expect(between(text, 'box fill')).toBeGreaterThanOrEqual(4.5);
      expect(between('label fill', 'paper fill')).toBeGreaterThanOrEqual(4.5);
      for (const line of ['line stroke', 'head fill', 'box stroke']) {
        expect(between(line, 'paper fill')).toBeGreaterThanOrEqual(3);
      }
    }
    expect(coloursOf(dark).size).toBeGreaterThan(7);
    expect([contrast('#000', '#ffffff'), contrast('#777777', '#fff')].map(Math.round)).toEqual([21, 4]);
  });
});
