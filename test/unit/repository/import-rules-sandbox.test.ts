import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readImports, sourceFiles } from '../../support/repository/imports.ts';

/** The table of folders in docs/sandbox.md: each file or folder, and what it may import besides itself. */
const table = new Map(
  readFileSync('docs/sandbox.md', 'utf8')
    .split('\n## Folders of `sandbox/`\n')[1]
    ?.split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, names = '', , allowed = ''] = line.split('|');
      return pathsIn(names).map((path) => [path, pathsIn(allowed)] as const);
    }),
);

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => `sandbox/${path}`.replace(/\/$/, ''));
}

/** The row that a file belongs to: the longest path that contains it. */
function rowOf(file: string): string | undefined {
  return [...table.keys()]
    .filter((path) => file === path || file.startsWith(`${path}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

const imports = readImports(['sandbox']).filter(({ target }) => target.startsWith('sandbox/'));

describe('the table of folders in docs/sandbox.md', () => {
  it('has a row for each file and folder of the sandbox', () => {
    expect(sourceFiles(['sandbox']).filter((file) => rowOf(file) === undefined)).toEqual([]);
    const top = readdirSync('sandbox').map((name) => `sandbox/${name}`);
    expect(top.filter((path) => !table.has(path))).toEqual([]);
  });

  it('names only paths that exist', () => {
    const names = readdirSync('sandbox', { recursive: true, encoding: 'utf8' });
    const existing = new Set(names.map((name) => `sandbox/${name}`));
    expect([...table].flatMap((row) => row.flat()).filter((path) => !existing.has(path))).toEqual([]);
  });

  it('lists what each folder imports: nothing less, nothing more', () => {
    const actual = new Map([...table.keys()].map((path) => [path, new Set<string>()]));
    for (const { file, target } of imports) {
      const [from, to] = [rowOf(file), rowOf(target)];
      if (from !== undefined && to !== undefined && from !== to) actual.get(from)?.add(to);
    }
    expect(imports.length).toBeGreaterThan(300);
    // The two files at the top share a row.
    const top = ['sandbox/sandbox.ts', 'sandbox/cli.ts'];
    for (const [path, allowed] of table) {
      const imported = top.includes(path) ? top.flatMap((file) => [...(actual.get(file) ?? [])]) : actual.get(path);
      expect([path, [...(imported ?? [])].filter((other) => !top.includes(other)).toSorted()]).toEqual([
        path,
        allowed.toSorted(),
      ]);
    }
  });
});
