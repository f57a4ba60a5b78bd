import type { Chart } from '../../actors/session/describe-chart.ts';
import { drawArrow, round } from './draw-arrow.ts';
import { type Arrow, baselines, initialMark, layOut, type StateBox } from './lay-out.ts';
import { entriesOf, keptIn, labelOf } from './words.ts';

/** The picture brings its paper along: what is behind it may be light where the reader's system is dark. */
const style = `
  svg { font: 12px system-ui, sans-serif; }
  .paper { fill: #fff; }
  .box { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.5; }
  .any { stroke-dasharray: 5 4; }
  .line { fill: none; stroke: #57606a; stroke-width: 1.3; }
  .head { fill: #57606a; }
  .name { fill: #1f2328; font-size: 14px; font-weight: 600; }
  .note { fill: #57606a; }
  .label { fill: #0a4fa3; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    .box { fill: #161b22; stroke: #9198a1; }
    .line { stroke: #9198a1; }
    .head { fill: #9198a1; }
    .name { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .label { fill: #79c0ff; }
  }
`;
const cornerRadius = 8;

/** The chart as a picture that stands by itself, in light and dark, for eyes and for screen readers. */
export function svgChart(chart: Chart): string {
  const notesOf = (name: StateBox['name']): string[] => [...entriesOf(chart, name), ...keptIn(chart, name)];
  const { width, height, boxes, arrows } = layOut(chart, { labelOf, notesOf });
  const size = `width="${round(width)}" height="${round(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" ${size} role="img" aria-labelledby="title text">`,
    `<title id="title">${escape(`State chart: ${chart.id}`)}</title>`,
    `<desc id="text">${escape(inWords(chart))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="paper" ${size} rx="${cornerRadius}"/>`,
    ...arrows.map(arrow),
    ...boxes.map(box),
    '</svg>',
    '',
  ].join('\n');
}

function box({ name, kind, isInitial, x, y, width, height, notes }: StateBox): string {
  const middle = round(x + width / 2);
  const rectangle = (inset: number): string =>
    `<rect class="box ${kind}" x="${round(x + inset)}" y="${round(y + inset)}" width="${width - 2 * inset}" height="${round(height - 2 * inset)}" rx="${cornerRadius - inset}"/>`;
  const text = (look: string, below: number, words: string): string =>
    `<text class="${look}" x="${middle}" y="${round(y + below)}" text-anchor="middle">${escape(words)}</text>`;
  return [
    ...(isInitial
      ? [
          `<circle class="head" cx="${middle}" cy="${round(y - initialMark)}" r="6"/>`,
          `<path class="line" d="M${middle} ${round(y - initialMark)}V${round(y - 8)}"/>`,
          `<polygon class="head" points="${middle} ${round(y - 1)} ${middle - 5} ${round(y - 9)} ${middle + 5} ${round(y - 9)}"/>`,
        ]
      : []),
    rectangle(0),
    ...(kind === 'final' ? [rectangle(4)] : []),
    text('name', baselines.name, kind === 'any' ? 'in any of these' : name),
    ...notes.map((note, index) => text('note', baselines.firstNote + index * baselines.perNote, note)),
  ].join('\n');
}

function arrow(drawn: Arrow): string {
  const { path, tip } = drawArrow(drawn);
  const { text, x, y, anchor } = drawn.label;
  return [
    `<path class="line" d="${path}"/>`,
    `<polygon class="head" points="${tip}"/>`,
    `<text class="label" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escape(text)}</text>`,
  ].join('\n');
}

function inWords({ states, initial, transitions }: Chart): string {
  const ways = transitions.map(({ from, to, fact }) => `${from} to ${to}: ${fact}`);
  return `States: ${states.map(({ name }) => name).join(', ')}. Begins in ${initial}. ${ways.join('; ')}.`;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
