// Which mutants of a folder are tried. Stryker takes ranges of lines, so lines are drawn, and all mutants within them run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { ignoreTexts } from './ignore-texts.js';

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [ignoreTexts] };

/**
 * Lines of `files` that hold `count` mutants at least (or all that there are), in the order that `seed` gives them.
 * A line's place in that order is of its text: it stays where it is if lines above it come or go. A mutant of several
 * lines is none of a drawn line. Resolves with { ranges: ['file:12-12', …], drawn, all } (numbers of mutants).
 */
export async function drawMutants(files, { seed, count }) {
  const sources = files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  const { mutants } = await new Instrumenter(silent).instrument(sources, options);
  const texts = new Map(sources.map(({ name, content }) => [name, content.split('\n')]));
  const lines = new Map();
  const onOneLine = mutants.filter(
    ({ status, location: { start, end } }) => status === undefined && start.line === end.line,
  );
  for (const { fileName, location } of onOneLine) {
    // Stryker counts lines from 0 here, and from 1 in a range.
    const { line } = location.start;
    const range = `${fileName}:${line + 1}-${line + 1}`;
    const { mutants: before = 0 } = lines.get(range) ?? {};
    const order = hash(`${seed} ${fileName} ${texts.get(fileName)[line].trim()}`);
    lines.set(range, { range, order, mutants: before + 1 });
  }
  const ranges = [];
  let drawn = 0;
  for (const line of [...lines.values()].toSorted((one, other) => (one.order < other.order ? -1 : 1))) {
    if (drawn >= count) break;
    ranges.push(line.range);
    drawn += line.mutants;
  }
  return { ranges, drawn, all: onOneLine.length };
}

const hash = (text) => createHash('sha256').update(text).digest('hex');
