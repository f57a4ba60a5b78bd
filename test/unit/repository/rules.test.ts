import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Report {
  documented: { id: string; document: string }[];
  /** Decided, and not built yet. */
  planned: string[];
  /** A file of tests that has the ID in a title. */
  proofs: { id: string; suite: 'fast' | 'long'; level: string; file: string }[];
  table: string;
}

const { documented, planned, proofs, table } = JSON.parse(
  execFileSync(process.execPath, ['scripts/rules-by-suite.js', '--json'], { encoding: 'utf8' }),
) as Report;
const known = new Set(documented.map(({ id }) => id));
const proven = new Set(proofs.map(({ id }) => id));

it('every promise has a test whose title begins with its ID', () => {
  const open = documented.filter(({ id }) => !proven.has(id) && !planned.includes(id));
  expect(open.map(({ id, document }) => `${id} of ${document}`)).toEqual([]);
  expect(documented.length).toBeGreaterThan(200);
});

it('every ID in a title is a promise of docs/spec.md, or stands in docs/testing.md', () => {
  const unknown = proofs.filter(({ id }) => !known.has(id));
  expect(unknown.map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
  expect(proofs.length).toBeGreaterThan(500);
});

it('no ID is given twice', () => {
  const ids = documented.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('docs/testing.md says which suites have tests of a promise: npm run rules writes it', () => {
  expect(readFileSync('docs/testing.md', 'utf8')).toContain(table);
});

it('every measure of SECURITY.md names the promises that hold it, or its tests', () => {
  const [, section = ''] = /^## Threats and measures$(.*?)^## /ms.exec(readFileSync('SECURITY.md', 'utf8')) ?? [];
  const rows = [...section.matchAll(/^\| (?!threat |-)(.*) \| ([^|]*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(20);
  for (const [, row = '', last = ''] of rows) {
    const ids = last.match(/[A-Z]{2}\d+\.\d+/g) ?? [];
    const files = [...last.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    const threat = row.slice(0, 40);
    expect({ threat, unknown: ids.filter((id) => !known.has(id)) }).toEqual({ threat, unknown: [] });
    expect({ threat, missing: files.filter((file) => !existsSync(file)) }).toEqual({ threat, missing: [] });
    expect({ threat, has: ids.length + files.length > 0 }).toEqual({ threat, has: true });
  }
});
