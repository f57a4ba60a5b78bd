import type { Chart } from '../../actors/describe-chart.ts';
import { type Box, type Layout, type Line, layOut } from './lay-out.ts';

const style = `
  svg { font: 12px system-ui, sans-serif; }
  .box { fill: #fff; stroke: #57606a; stroke-width: 1.5; }
  .any { stroke-dasharray: 5 4; }
  .line { fill: none; stroke: #57606a; stroke-width: 1.3; }
  .head { fill: #57606a; }
  .name { fill: #1f2328; font-size: 14px; font-weight: 600; }
  .note { fill: #57606a; }
  .label { fill: #0a4fa3; }
  @media (prefers-color-scheme: dark) {
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
  const { width, height, boxes, lines } = layOut(chart);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-labelledby="title text">`,
    `<title id="title">${escape(`State chart: ${chart.id}`)}</title>`,
    `<desc id="text">${escape(inWords({ boxes, lines }, chart))}</desc>`,
    `<style>${style}</style>`,
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
    '<path class="head" d="M0 0 8 4 0 8Z"/></marker>',
    ...lines.map(drawLine),
    ...boxes.map(drawBox),
    '</svg>',
    '',
  ].join('\n');
}

function drawBox({ name, kind, isInitial, x, y, width, height, notes }: Box): string {
  const middle = round(x + width / 2);
  const rectangle = (inset: number): string =>
    `<rect class="box ${kind}" x="${round(x + inset)}" y="${round(y + inset)}" width="${width - 2 * inset}" height="${round(height - 2 * inset)}" rx="${cornerRadius - inset}"/>`;
  return [
    ...(isInitial
      ? [
          `<circle class="head" cx="${middle}" cy="${round(y - 28)}" r="6"/>`,
          `<path class="line" marker-end="url(#head)" d="M${middle} ${round(y - 22)}V${round(y)}"/>`,
        ]
      : []),
    rectangle(0),
    ...(kind === 'final' ? [rectangle(4)] : []),
    `<text class="name" x="${middle}" y="${round(y + 24)}" text-anchor="middle">${escape(titleOf(name, kind))}</text>`,
    ...notes.map(
      (note, index) =>
        `<text class="note" x="${middle}" y="${round(y + 44 + index * 18)}" text-anchor="middle">${escape(note)}</text>`,
    ),
  ].join('\n');
}

function drawLine({ points, label, labelAt }: Line): string {
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return [
    `<path class="line" marker-end="url(#head)" stroke-linejoin="round" d="${path}"/>`,
    `<text class="label" x="${round(labelAt.x)}" y="${round(labelAt.y)}" text-anchor="${labelAt.anchor}">${escape(label)}</text>`,
  ].join('\n');
}

const titleOf = (name: string, kind: Box['kind']): string => (kind === 'any' ? 'in any of these' : name);

function inWords({ boxes }: Pick<Layout, 'boxes' | 'lines'>, { initial, transitions }: Chart): string {
  const places = boxes.filter(({ kind }) => kind !== 'any').map(({ name }) => name);
  const ways = transitions.map(({ from, to, fact }) => `${from} to ${to}: ${fact}`);
  return `States: ${places.join(', ')}. Begins in ${initial}. ${ways.join('; ')}.`;
}

const round = (length: number): number => Math.round(length * 10) / 10;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
