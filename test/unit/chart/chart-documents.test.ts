import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { describeChart } from '../../../actors/session/describe-chart.ts';
import { sessionStates } from '../../../actors/session/events.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../../actors/session/stately-protocol.ts';
import { mermaidChart } from '../../../src/chart/mermaid.ts';
import { legalTransitions, timeLimits } from '../../support/actors/legal-transitions.ts';

const chart = describeChart();

/** The document, with the diagram in its one Mermaid block replaced. */
function withDiagram(document: string, diagram: string): string {
  const blocks = document.match(/```mermaid\n[^`]*```/g) ?? [];
  expect(blocks).toHaveLength(1);
  return document.replace(blocks[0] ?? '', () => `\`\`\`mermaid\n${diagram}\`\`\``);
}

describe('the chart in the documents', () => {
  it('[IN1.1] is the diagram of the machine: npm run machine updates it', async () => {
    const path = 'docs/architecture.md';
    await expect(withDiagram(readFileSync(path, 'utf8'), mermaidChart(chart))).toMatchFileSnapshot(`../../../${path}`);
  });

  it('[IN1.1] shows every transition of every state in the Mermaid diagram', () => {
    const lines = [...mermaidChart(chart).matchAll(/^ {2}(\w+)(?: --> (\w+))?: (.+)$/gm)];
    const shown = lines
      .filter(([, from, , label]) => label !== from)
      .flatMap(([, from = '', to = from, labels = '']) =>
        labels.split(', ').map((label) => `${from} ${label.replace(/^↻ | after .*/, '')} ${to}`),
      );
    const legal = Object.entries(legalTransitions).flatMap(([state, facts]) =>
      Object.entries(facts).map(([fact, to]) => `${state} ${fact} ${to === '=' ? state : to}`),
    );
    expect(shown.toSorted()).toEqual(legal.toSorted());
  });

  it('[IN1.1] describes every transition of the machine, and no other', () => {
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

  it('[IN1.1] is a machine to XState, with the same states, events and delays', () => {
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
});
