// Code with its mutants in it, switched on one at a time (Stryker's instrumenter).
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { ignoreTexts } from '../ignore-texts.js';

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [ignoreTexts] };

/**
 * `ranges` are files, or lines of files: 'FILE' or 'FILE:12-30'. Returns the code with all mutants in them, by absolute
 * path, and those mutants. A mutant's `key` is the text of its line and its place there: other lines may come and go.
 */
export async function instrument(ranges) {
  const wanted = new Map();
  for (const range of ranges) {
    const [name, lines] = range.split(':');
    const of = wanted.get(name) ?? [];
    wanted.set(name, of);
    if (lines === undefined) continue;
    const [first, last] = lines.split('-').map(Number);
    of.push({ start: { line: first - 1, column: 0 }, end: { line: last, column: 0 } });
  }
  const sources = [...wanted].map(([name, lines]) => ({
    name,
    content: readFileSync(name, 'utf8'),
    mutate: lines.length === 0 ? true : lines,
  }));
  const { files, mutants } = await new Instrumenter(silent).instrument(sources, options);
  const texts = new Map(sources.map(({ name, content }) => [name, content.split('\n')]));
  const counts = new Map();
  return {
    sources: Object.fromEntries(files.map(({ name, content }) => [resolve(name), content])),
    mutants: mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement, status }) => {
      const text = texts.get(fileName)[start.line].trim();
      const place = `${fileName}:${start.line}:${mutatorName}:${replacement}`;
      const count = counts.get(place) ?? 0;
      counts.set(place, count + 1);
      return {
        id,
        key: `${fileName} ${text} ${mutatorName} ${replacement} ${count}`,
        fileName: resolve(fileName),
        // Stryker's reports count lines and columns from 1.
        location: {
          start: { line: start.line + 1, column: start.column + 1 },
          end: { line: end.line + 1, column: end.column + 1 },
        },
        mutatorName,
        replacement,
        status,
      };
    }),
  };
}
